// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import Testing
import TestSupport

@testable import LongboxUpstream

@Suite("The client of the iTunes Store", .timeLimit(.minutes(10))) struct ITunesClientTests {
  private let empty = Array("\n\n\n{\"resultCount\":0,\"results\":[]}".utf8)

  private func client<Time: Clock>(
    _ script: ScriptedTransport,
    artwork: ScriptedTransport = ScriptedTransport(.reply(404)),
    clock: Time,
    limiter: RequestLimiter? = nil
  ) -> ITunesClient where Time.Duration == Duration {
    ITunesClient(
      transport: script.transport,
      artwork: artwork.transport,
      artworkPace: RequestLimiter(Pace(interval: .seconds(1), burst: 4), clock: clock),
      limiter: limiter ?? Self.limiter(clock)
    )
  }

  private static func limiter<Time: Clock>(_ clock: Time) -> RequestLimiter
  where Time.Duration == Duration {
    RequestLimiter(limit: ITunesClient.callsPerMinute, span: .seconds(60), clock: clock)
  }

  private func question(_ term: String) throws -> ITunesQuestion {
    try #require(ITunesQuestion(artistsNamed: term, in: .unitedStates))
  }

  @Test func `makes at most fifteen calls a minute for forty questions, and loses none`() async throws {
    let clock = ManualClock()
    let script = ScriptedTransport(.reply(200, body: empty))
    let limiter = Self.limiter(clock)
    let client = client(script, clock: clock, limiter: limiter)
    let questions = try (1...40).map { try question("artist \($0)") }
    let asked = questions.map { question in Task { try await client.ask(question) } }
    var counts: [Int] = []
    for expected in [15, 30, 40] {
      let waiting = 40 - expected
      await eventually {
        let length = await limiter.queueLength
        return length == waiting && script.exchanges.count == expected
          && clock.sleeperCount == min(waiting, 1)
      }
      counts.append(script.exchanges.count)
      if expected == 15 {
        var waits: Set<Duration> = []
        for question in questions { waits.insert(await client.wait(for: question)) }
        #expect(waits == [.seconds(60), .seconds(120)], "the page can say how long each reader waits")
      }
      clock.advance(by: .seconds(60))
    }
    #expect(counts == [15, 30, 40])
    for task in asked { #expect(try await task.value == empty) }
    #expect(Set(script.exchanges.map(\.address)).count == 40)
  }

  @Test func `treats questions of different case and spacing as the same`() throws {
    #expect(try question("Daft Punk") == question(" daft  punk "))
    #expect(try question("Daft Punk").key == "artists/us/daft punk")
  }

  @Test(arguments: [
    ("Bj\u{F6}rk", "bjo\u{308}rk"), ("Destiny's", "Destiny’s"), ("Destiny's", "Destiny‘s"),
    ("Destiny's", "Destiny\u{2BC}s"), ("Destiny's", "Destiny`s"), ("Destiny's", "Destiny\u{B4}s"),
  ])
  func `treats different spellings of one name as the same, down to the bytes`(one: String, other: String)
    throws
  {
    // Strings are equal if they look alike; the database compares bytes.
    #expect(try Array(question(one).key.utf8) == Array(question(other).key.utf8))
  }

  @Test(arguments: [
    ("artists", "/search?term=jos%C3%A9%20%26%20co&country=us&media=music&entity=musicArtist&limit=25"),
    ("albums", "/lookup?id=414425&country=us&entity=album&limit=200"),
    ("tracks", "/lookup?id=414425&country=us&entity=song&limit=200"),
  ])
  func `calls its endpoints, and never with a callback`(kind: String, target: String) async throws {
    let script = ScriptedTransport(.reply(200, body: empty))
    let id = try #require(StoreID(414_425))
    let question =
      switch kind {
      case "artists": try question("José & Co")
      case "albums": ITunesQuestion(.albums(of: id), in: .unitedStates)
      default: ITunesQuestion(.tracks(of: id), in: .unitedStates)
      }
    _ = try await client(script, clock: JumpingClock()).ask(question)
    #expect(script.exchanges.map(\.address.target) == [target])
    #expect(script.exchanges[0].address.origin.host == "itunes.apple.com")
  }

  @Test(arguments: [
    ScriptedTransport.Step.reply(200), .reply(200, body: Array("\n\n\n".utf8)),
    .reply(200, body: Array("<html>".utf8)), .reply(200, body: Array("{\"resultCount\":0}".utf8)),
    .reply(403),
    .reply(429), .reply(500), .failure(.unreachable(.itunes, reason: "no network")),
  ])
  func `never treats "too many", an empty body or a broken one as "nothing found"`(
    step: ScriptedTransport.Step
  ) async throws {
    let client = client(ScriptedTransport(step), clock: JumpingClock())
    await #expect(throws: UpstreamError.self) { try await client.ask(try question("slayer")) }
  }

  @Test(arguments: [
    ScriptedTransport.Step.reply(403), .reply(429), .reply(200), .reply(200, body: Array("\n<html>".utf8)),
  ])
  func `says since when the store refuses to answer`(step: ScriptedTransport.Step) async throws {
    let clock = JumpingClock()
    let time = SettableTime()
    let limiter = RequestLimiter(limit: 15, span: .seconds(60), clock: clock, now: { time.now })
    let script = ScriptedTransport(step, .reply(200, body: empty))
    let client = client(script, clock: clock, limiter: limiter)
    await #expect(throws: UpstreamError.rateLimited(.itunes, retryAfter: nil)) {
      try await client.ask(try question("slayer"))
    }
    #expect(await client.currentPause() == SourcePause(since: time.now, nextTry: time.now + 60))
    _ = try await client.ask(try question("slayer"))
    #expect(clock.sleeps == [.seconds(60)])
    #expect(await client.currentPause() == nil)
  }

  @Test func `says when a country has no store`() async throws {
    let client = client(ScriptedTransport(.reply(400)), clock: JumpingClock())
    let error = await #expect(throws: UpstreamError.self) { try await client.ask(try question("slayer")) }
    #expect(error?.description.contains("“us”") == true)
  }

  @Test(arguments: ["", "   ", String(repeating: "a", count: 400)])
  func `rejects an empty or overlong term`(term: String) {
    #expect(ITunesQuestion(artistsNamed: term, in: .unitedStates) == nil)
  }

  @Test(arguments: ["ж", "鬼", "a"])
  func `accepts as many characters as a form, in any script`(letter: String) throws {
    let question = try question(String(repeating: letter, count: 100))
    #expect(question.key.unicodeScalars.count <= 400)
  }

  @Test func `finds a large cover, else the small one`() async throws {
    let address: Text = "https://is1-ssl.mzstatic.com/image/thumb/a/b.jpg/100x100bb.jpg"
    let none = ScriptedTransport(.reply(200))
    let large = ScriptedTransport(.reply(200, body: Pictures.png))
    let cover = try await client(none, artwork: large, clock: JumpingClock()).artwork(at: address, side: 600)
    #expect(cover == Pictures.png)
    #expect(large.exchanges.map(\.address.target) == ["/image/thumb/a/b.jpg/600x600bb.jpg"])
    let small = ScriptedTransport(.reply(404), .reply(200, body: Pictures.png))
    _ = try await client(none, artwork: small, clock: JumpingClock()).artwork(at: address, side: 600)
    #expect(small.exchanges.last?.address.target == "/image/thumb/a/b.jpg/100x100bb.jpg")
  }

  @Test(
    arguments: [
      .reply(429, ["Retry-After": "30"]), .reply(403), .reply(500),
      .failure(.timedOut(.artwork, subject: "cover")),
      .failure(.unreachable(.artwork, reason: "it closed the connection before its answer was whole")),
    ] as [ScriptedTransport.Step]
  )
  func `does not keep a small cover while the large one is unavailable`(step: ScriptedTransport.Step)
    async throws
  {
    let artwork = ScriptedTransport(step, .reply(200, body: Pictures.png))
    let client = client(ScriptedTransport(.reply(200)), artwork: artwork, clock: JumpingClock())
    await #expect(throws: UpstreamError.self) {
      try await client.artwork(at: "https://is1-ssl.mzstatic.com/a/b.jpg/100x100bb.jpg", side: 600)
    }
    #expect(artwork.exchanges.map(\.address.target) == ["/a/b.jpg/600x600bb.jpg"])
  }

  @Test func `pauses requests to the picture server for as long as it asks`() async throws {
    let clock = JumpingClock()
    let artwork = ScriptedTransport(.reply(429, ["Retry-After": "30"]), .reply(200, body: Pictures.png))
    let client = client(ScriptedTransport(.reply(200)), artwork: artwork, clock: clock)
    func cover() async throws -> [UInt8] {
      try await client.artwork(at: "https://is1-ssl.mzstatic.com/a/b.jpg/100x100bb.jpg", side: 600)
    }
    for _ in 0..<3 { await #expect(throws: UpstreamError.self) { try await cover() } }
    #expect(artwork.exchanges.count == 1)
    clock.advance(by: .seconds(30))
    #expect(try await cover() == Pictures.png)
  }

  @Test(arguments: [
    "https://example.org/a/100x100bb.jpg", "https://is1-ssl.mzstatic.com.example.org/a/100x100bb.jpg",
    "ftp://is1-ssl.mzstatic.com/a", "https://is1-ssl.mzstatic.com:444/../100x100bb.jpg", "",
    "//is1-ssl.mzstatic.com/a",
    "http://127.0.0.1/100x100bb.jpg",
  ])
  func `rejects cover addresses of other hosts`(address: String) async throws {
    let artwork = ScriptedTransport(.reply(200, body: Pictures.png))
    let client = client(ScriptedTransport(.reply(200)), artwork: artwork, clock: JumpingClock())
    await #expect(throws: UpstreamError.self) {
      try await client.artwork(at: Text(string: address), side: 600)
    }
    #expect(artwork.exchanges.isEmpty)
  }

  @Test func `uses the configured picture server, and https for old addresses`() throws {
    let old: Text = "http://is3.mzstatic.com/image/b.jpg/100x100bb.jpg"
    #expect(
      ITunesAddresses.standard.artwork(at: old, side: 200)?.description
        == "https://is3.mzstatic.com/image/b.jpg/200x200bb.jpg"
    )
    let own = try ITunesAddresses(site: nil, artwork: "http://127.0.0.1:8354/artwork")
    #expect(
      own.artwork(at: old, side: 200)?.description
        == "http://127.0.0.1:8354/artwork/image/b.jpg/200x200bb.jpg"
    )
  }
}
