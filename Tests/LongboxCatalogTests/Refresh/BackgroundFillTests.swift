// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream
import TestSupport
import Testing

@testable import LongboxCatalog

@Suite("Filling the store in the background", .timeLimit(.minutes(10))) struct BackgroundFillTests {
  @Test func `fetches the newest first, and the newest pictures before the oldest texts`() async throws {
    let xkcd = FakeXkcd(latest: 40)
    try await withCatalog(xkcd) { bench async throws in
      try await bench.bringEverything()
      let paths = xkcd.takePaths().dropFirst()
      let records = paths.compactMap { path in
        path.hasSuffix(".json") ? Int(path.dropFirst().prefix { $0 != "/" }) : nil
      }
      #expect(records == (1...39).reversed())
      let pictures = paths.filter { $0.hasSuffix(".png") }
      #expect(pictures == (1...40).reversed().map { "/comics/bread_\($0).png" })
      let firstText = try #require(paths.firstIndex(of: "/1/info.0.json"))
      let newPicture = try #require(paths.firstIndex(of: "/comics/bread_30.png"))
      #expect(newPicture < firstText)
    }
  }

  @Test func `reports its progress`() async throws {
    let xkcd = FakeXkcd(latest: 20)
    xkcd.set(.status(404), at: "/7/info.0.json")
    xkcd.set(.body([1, 2, 3]), at: "/comics/bread_8.png")
    try await withCatalog(xkcd) { bench async throws in
      #expect(bench.catalog.snapshot.progress == nil)
      try await bench.catalog.refresher.checkNewest()
      #expect(bench.catalog.snapshot.progress == .init(texts: 1, pictures: 0, failures: 0, total: 20))
      var texts = 1
      while case .worked = try await bench.catalog.refresher.fillStep() {
        let progress = try #require(bench.catalog.snapshot.progress)
        #expect(progress.texts >= texts)
        texts = progress.texts
      }
      #expect(bench.catalog.snapshot.progress == .init(texts: 19, pictures: 18, failures: 1, total: 20))
    }
  }

  @Test func `resumes after a restart`() async throws {
    let xkcd = FakeXkcd(latest: 40)
    let folder = TemporaryFolder()
    try await withCatalog(xkcd, in: folder) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      for _ in 0..<3 { _ = try await bench.catalog.refresher.fillStep() }
      #expect(bench.catalog.snapshot.archive.count < 40)
      bench.catalog.save()
    }
    try await withCatalog(xkcd, in: folder) { bench async throws in
      #expect(bench.catalog.snapshot.archive.count > 1)
      try await bench.fill()
      #expect(bench.catalog.snapshot.archive.count == 40)
    }
    let paths = xkcd.takePaths()
    #expect(paths.count == 1 + 39 + 40)
    #expect(Set(paths).count == paths.count, "Nothing is asked for twice.")
  }

  @Test func `resumes from the state that a kill leaves at any time`() async throws {
    let xkcd = FakeXkcd(latest: 8)
    let folder = TemporaryFolder()
    let copies = try await withCatalog(xkcd, in: folder) { bench async throws in
      var copies = [try folder.copy()]
      try await bench.catalog.refresher.checkNewest()
      repeat {
        copies.append(try folder.copy())
      } while try await bench.catalog.comics.backgroundFill.step(limit: 1).worked
      return copies
    }
    #expect(copies.count > 15)
    for copy in copies.enumerated().filter({ $0.offset % 4 == 1 }).map(\.element) {
      try await withCatalog(xkcd, in: copy) { bench async throws in
        try await bench.bringEverything()
        #expect(bench.catalog.snapshot.archive.count == 8)
        let audit = try await bench.store.audit(readingPictures: true)
        #expect(audit.isSound)
        #expect(audit.wholePictures == 16)
      }
    }
  }

  /// A fault of comic 7, and where it occurs.
  struct BadComic: CustomTestStringConvertible {
    let testDescription: String
    let path: String
    let trouble: FakeXkcd.Trouble
    let part: ComicPart
    let state: FetchStatus.State

    static let all: [BadComic] = [
      BadComic("a record that isn't there", .status(404), .record, .absent),
      BadComic("a page of HTML for a record", .body(Array("<html>Sign in</html>".utf8)), .record, .failed),
      BadComic("a record cut short", .body(HandmadeRecord.raw(7).dropLast(9)), .record, .failed),
      BadComic("an empty record", .body([]), .record, .failed),
      BadComic("another comic's record", .body(HandmadeRecord.raw(6)), .record, .failed),
      BadComic("a record without a date", .body(Array(#"{"num": 7, "title": "x"}"#.utf8)), .record, .failed),
      BadComic("a status for a record that means nothing", .status(418), .record, .failed),
      BadComic("an error for a record", .status(500), .record, .failed),
      BadComic("a record that takes too long", .failure(.timedOut(.xkcd, subject: "it")), .record, .failed),
      BadComic("a picture that isn't there", .status(404), .picture, .absent),
      BadComic("a page of HTML for a picture", .body(Array("<html>".utf8)), .picture, .failed),
      BadComic("a picture cut short", .body(HandmadeRecord.picture(7).dropLast(20)), .picture, .failed),
      BadComic("a picture with wrong pixels", .body(HandmadePicture.bomb(300, 300)), .picture, .failed),
      BadComic("an empty picture", .body([]), .picture, .failed),
      BadComic("an error for a picture", .status(500), .picture, .failed),
    ]

    init(
      _ name: String,
      _ trouble: FakeXkcd.Trouble,
      _ part: ComicPart,
      _ state: FetchStatus.State
    ) {
      testDescription = name
      path = part == .record ? "/7/info.0.json" : "/comics/bread_7.png"
      self.trouble = trouble
      self.part = part
      self.state = state
    }
  }

  @Test(arguments: BadComic.all)
  func `is not stopped by one bad comic, and fetches it once it is repaired`(bad: BadComic) async throws {
    let xkcd = FakeXkcd(latest: 9)
    let time = SettableTime()
    xkcd.set(bad.trouble, at: bad.path)
    try await withCatalog(xkcd, time: time) { bench async throws in
      try await bench.bringEverything()
      let status = try await bench.status(of: bad.part, 7)
      #expect(status.state == bad.state)
      let next = try #require(status.nextTry)
      #expect(next > time.now)
      #expect((status.reason == nil) == (bad.state == .absent))
      for number in 1...9 where number != 7 {
        #expect(try await bench.status(of: .picture, number).state == .fetched, "comic \(number)")
      }
      #expect(bench.catalog.snapshot.downSince == nil)
      #expect(xkcd.takePaths().count { $0 == bad.path } == 1, "It is not asked for over and over.")
      xkcd.set(nil, at: bad.path)
      time.advance(by: next.timeIntervalSince(time.now) + 1)
      try await bench.fill()
      #expect(try await bench.status(of: .picture, 7).state == .fetched)
      #expect(bench.catalog.snapshot.archive.count == 9)
    }
  }

  @Test func `waits longer after each further failure, up to a day`() async throws {
    let xkcd = FakeXkcd(latest: 2)
    let time = SettableTime()
    xkcd.set(.status(500), at: "/1/info.0.json")
    try await withCatalog(xkcd, time: time) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      var pauses: [TimeInterval] = []
      for _ in 0..<12 {
        try await bench.fill()
        let next = try #require(try await bench.status(of: .record, 1).nextTry)
        pauses.append(next.timeIntervalSince(time.now))
        time.advance(by: pauses[pauses.count - 1])
      }
      #expect(pauses.prefix(4) == [300, 600, 1200, 2400])
      #expect(pauses.last == 86_400)
    }
  }

  @Test func `tries again at once when the clock is set back to before a failure`() async throws {
    let xkcd = FakeXkcd(latest: 2)
    let time = SettableTime()
    xkcd.set(.status(500), at: "/1/info.0.json")
    try await withCatalog(xkcd, time: time) { bench async throws in
      time.advance(by: 365 * 24 * 3600)
      try await bench.bringEverything()
      #expect(try await bench.status(of: .record, 1).state == .failed)
      xkcd.set(nil, at: "/1/info.0.json")
      time.advance(by: -365 * 24 * 3600)
      try await bench.fill()
      #expect(try await bench.status(of: .record, 1).state == .fetched)
    }
  }

  @Test func `never pauses for longer than the store believes`() {
    let pauses = [FetchPause.lookAgain, FetchPause.absent, FetchPause.afterFailure(attempts: 99)]
    for part in [ComicPart.record, .picture] {
      #expect(pauses.allSatisfy { Int($0) <= StoredPause.fetch(part).longest })
    }
    for part in [ComicPart.doubleSize, .larger] {
      #expect(Int(FetchPause.absentExtra) <= StoredPause.fetch(part).longest)
    }
    for outcome in StoredExplanation.Outcome.allCases {
      for (isIncomplete, isNew) in [(true, true), (true, false), (false, true), (false, false)] {
        let pause = ExplanationSchedule.pause(after: outcome, isIncomplete: isIncomplete, isNew: isNew)
        #expect(Int(pause) <= StoredPause.explanation.longest)
      }
    }
  }

  @Test(arguments: ["", "-garbage-"])
  func `finishes a comic that has no picture, like 1608`(suffix: String) async throws {
    let xkcd = FakeXkcd(latest: 4)
    xkcd.set(HandmadeRecord.raw(3, image: "", more: #", "extra_parts": {"pre": "\#(suffix)"}"#), for: 3)
    try await withCatalog(xkcd) { bench async throws in
      try await bench.bringEverything()
      #expect(bench.comic(3)?.pictureAddress.isEmpty == true)
      #expect(bench.comic(3)?.isInteractive == true)
      let status = try await bench.status(of: .picture, 3)
      #expect(status.state == .absent)
      #expect(status.nextTry == nil)
      #expect(
        bench.catalog.snapshot.progress
          == .init(texts: 4, pictures: 3, absentPictures: 1, failures: 0, total: 4),
        "a picture that doesn't exist is not counted as stored"
      )
      await #expect(throws: CatalogError.absent) {
        try await bench.catalog.picture(.standard, of: Comic.Number(of: 3))
      }
    }
  }

  @Test(arguments: [
    UpstreamError.unreachable(.xkcd, reason: "no route"), .rateLimited(.xkcd, retryAfter: .seconds(60)),
    .rateLimited(.xkcd, retryAfter: nil),
  ])
  func `pauses while the source is down, and marks no comic as failed`(error: UpstreamError) async throws {
    let xkcd = FakeXkcd(latest: 30)
    try await withCatalog(xkcd) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      xkcd.setEverywhere(.failure(error))
      _ = xkcd.takePaths()
      #expect(try await bench.catalog.refresher.fillStep().isDown)
      #expect(xkcd.takePaths().count == 1)
      #expect(try await bench.store.fetches.failures() == [])
      #expect(bench.catalog.snapshot.downSince != nil)
      xkcd.setEverywhere(nil)
      try await bench.fill()
      #expect(bench.catalog.snapshot.downSince == nil)
      #expect(bench.catalog.snapshot.archive.count == 30)
      #expect(try await bench.store.fetches.failures() == [])
    }
  }

  @Test(arguments: [FakeXkcd.Trouble.status(503), .status(500), .body(Array("<html>Sign in</html>".utf8))])
  func `pauses after a few tries when every request fails`(trouble: FakeXkcd.Trouble)
    async throws
  {
    let xkcd = FakeXkcd(latest: 30)
    let time = SettableTime()
    try await withCatalog(xkcd, time: time) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      xkcd.setEverywhere(trouble)
      _ = xkcd.takePaths()
      #expect(try await bench.fill().isDown)
      #expect(xkcd.takePaths().count <= 4)
      #expect(bench.catalog.snapshot.downSince != nil)
      xkcd.setEverywhere(nil)
      time.advance(by: 3_600)
      try await bench.fill()
      #expect(bench.catalog.snapshot.downSince == nil)
      #expect(bench.catalog.snapshot.archive.count == 30)
      #expect(try await bench.store.fetches.failures() == [])
    }
  }

  @Test func `does not retry a comic that is too long for the archive`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    xkcd.set(HandmadeRecord.raw(3, alt: String(repeating: "long ", count: 20_000)), for: 3)
    try await withCatalog(xkcd) { bench async throws in
      try await bench.bringEverything()
      #expect(bench.comic(3) == nil)
      #expect(bench.catalog.snapshot.archive.count == 5)
      #expect(try await bench.status(of: .picture, 3).state == .failed)
    }
  }

  @Test func `rejects a picture address that isn't xkcd's`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    let raw = String(decoding: HandmadeRecord.raw(3), as: UTF8.self)
    xkcd.set(Array(raw.replacing("https://imgs.xkcd.com", with: "http://10.0.0.1").utf8), for: 3)
    try await withCatalog(xkcd) { bench async throws in
      try await bench.bringEverything()
      #expect(try await bench.status(of: .picture, 3).state == .failed)
      #expect(!xkcd.takePaths().contains("/comics/bread_3.png"))
      #expect(bench.catalog.snapshot.archive.count == 6)
    }
  }
}

extension FillStep {
  fileprivate var worked: Bool {
    if case .worked = self { true } else { false }
  }
}

@Suite("A comic whose failures look like an outage", .timeLimit(.minutes(10))) struct OutageSuspectTests {
  @Test(arguments: [
    FakeXkcd.Trouble.failure(.unreachable(.xkcd, reason: "the connection broke")), .status(403),
    .status(429),
  ])
  func `is skipped once the source has answered another request`(trouble: FakeXkcd.Trouble) async throws {
    let xkcd = FakeXkcd(latest: 9)
    let time = SettableTime()
    xkcd.set(trouble, at: "/7/info.0.json")
    xkcd.set(trouble, at: "/comics/bread_5.png")
    try await withCatalog(xkcd, time: time) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      var pauses = 0
      while try await bench.fill().isDown, pauses < 10 {
        pauses += 1
        #expect(bench.catalog.snapshot.downSince != nil)
        try await bench.catalog.refresher.checkNewest()
        #expect(bench.catalog.snapshot.downSince == nil)
      }
      #expect(pauses == 2, "once for each of the two")
      #expect(try await bench.store.fetches.failures().map(\.number.value) == [7, 5])
      #expect(bench.catalog.snapshot.progress == .init(texts: 8, pictures: 7, failures: 2, total: 9))
      xkcd.set(nil, at: "/7/info.0.json")
      xkcd.set(nil, at: "/comics/bread_5.png")
      time.advance(by: 301)
      try await bench.fill()
      #expect(bench.catalog.snapshot.progress == .init(texts: 9, pictures: 9, failures: 0, total: 9))
    }
  }

  @Test func `is not marked as failed while every request fails`() async throws {
    let xkcd = FakeXkcd(latest: 9)
    try await withCatalog(xkcd) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      xkcd.setEverywhere(.status(429))
      for _ in 0..<5 {
        #expect(try await bench.fill().isDown)
        await #expect(throws: CatalogError.self) { try await bench.catalog.refresher.checkNewest() }
      }
      #expect(try await bench.store.fetches.failures() == [])
    }
  }
}
