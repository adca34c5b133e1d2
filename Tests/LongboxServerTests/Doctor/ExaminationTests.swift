// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LongboxPush
import LongboxReaders
import LongboxStore
import LongboxUpstream
import NIOCore
import TestSupport
import Testing

@testable import LongboxServer

@Suite("An examination") struct ExaminationTests {
  private let folder = TemporaryFolder()
  private let time = SettableTime()

  private func question(_ answer: @escaping @Sendable () throws(UpstreamError) -> Reply) throws
    -> SourceQuestion
  {
    let exchange = Exchange.check(try XkcdAddresses(site: "http://xkcd.test", images: nil))
    return SourceQuestion(exchange, over: Transport { _ throws(UpstreamError) in try answer() })
  }

  /// A reply whose date is that of our clock, or some seconds later.
  private func reply(status: Int = 200, after seconds: TimeInterval = 0, age: String = "0") throws -> Reply {
    let date = time.now.addingTimeInterval(seconds).inHeader
    let address = try #require(WebAddress("http://xkcd.test/"))
    return Reply(status: status, headers: ["Date": date, "Age": age], address: address)
  }

  private func findings(
    _ settings: ServerSettings = ServerSettings(port: 0),
    sources: [SourceQuestion] = [],
    refused: IncidentLog.Tally? = nil,
    on store: Store? = nil
  ) async -> [Finding.Subject: Finding] {
    let time = time
    let examination = Examination(
      of: StoreLocation(folder.path("data")),
      settings: settings,
      sources: sources,
      refusedHosts: { RefusedHosts(refused) },
      now: { time.now }
    )
    let found = await examination.diagnosis(on: store).findings
    return Dictionary(found.map { ($0.subject, $0) }) { $1 }
  }

  @Test func `of a sound folder has no complaint`() async throws {
    let store = try Store.open(folder.path("data"))
    let answer = try reply()
    let found = await findings(sources: [try question { () throws(UpstreamError) in answer }], on: store)
    #expect(found.values.allSatisfy { $0.level == .ok }, "\(found)")
    #expect(found[.clock]?.text == "The clock agrees with xkcd's.")
    #expect(
      Set(found.keys).isSuperset(of: [.store, .disk, .permissions, .xkcd, .certificates, .keys, .port])
    )
    // Beside a server, and after it.
    #expect(await findings()[.store]?.level == .ok)
    try await store.closeOnNewThread()
    #expect(await findings()[.store]?.level == .ok)
  }

  @Test func `of a missing folder says how to begin`() async throws {
    let store = try #require(await findings()[.store])
    #expect(store.level == .warning)
    #expect(store.advice?.contains("longbox serve") == true)
    let keys = try #require(await findings(ServerSettings(host: "0.0.0.0", port: 0))[.keys])
    #expect(keys.text.hasPrefix("There is no passphrase"))
  }

  /// Makes a store whose database is damaged.
  private func makeDamagedStore() async throws {
    try await Store.open(folder.path("data")).closeOnNewThread()
    let file = folder.path("data/longbox.sqlite")
    var bytes = try Data(contentsOf: file)
    for index in 0..<100 { bytes[index] = 0x5A }
    try bytes.write(to: file)
  }

  @Test func `misses nothing that it can't read`() async throws {
    try await makeDamagedStore()
    let answer = try reply()
    let sources = [try question { () throws(UpstreamError) in answer }]
    let found = await findings(ServerSettings(host: "0.0.0.0", port: 0), sources: sources)
    #expect(found[.keys]?.level == .warning)
    #expect(found[.keys]?.text == "The passphrase can't be checked, because the store can't be read.")
    #expect(found[.xkcd]?.text == "xkcd answers at http://xkcd.test.")
    #expect(found[.subscriptions] == nil)
    #expect(await findings()[.keys]?.level == .warning, "there may be subscriptions")
  }

  @Test func `finds a damaged database`() async throws {
    try await makeDamagedStore()
    let store = try #require(await findings()[.store])
    #expect(store.level == .problem)
    #expect(store.advice?.contains("longbox restore") == true)
  }

  @Test func `finds a source that is down, and an old answer`() async throws {
    let down = try question { () throws(UpstreamError) in throw .unreachable(.xkcd, reason: "no route") }
    #expect(await findings(sources: [down])[.xkcd]?.level == .warning)
    let store = try Store.open(folder.path("data"))
    try await store.fetches.save(
      NewestCheck(newest: nil, checkedAt: time.now, succeededAt: time.now.addingTimeInterval(-3 * 86_400))
    )
    let old = try #require(await findings(sources: [down], on: store)[.xkcd])
    #expect(old.level == .warning)
    #expect(old.text.contains("3 days old"))
    time.advance(by: 20 * 86_400)
    #expect(await findings(sources: [down], on: store)[.xkcd]?.level == .problem)
  }

  @Test func `says that a source refuses to answer`() async throws {
    let refusing = try reply(status: 403)
    let found = try #require(
      await findings(sources: [try question { () throws(UpstreamError) in refusing }])[.xkcd]
    )
    #expect(found.level == .warning)
    #expect(found.text == "xkcd refuses to answer (status 403). The server has not had an answer yet.")
    let store = try Store.open(folder.path("data"))
    try await store.fetches.save(
      NewestCheck(newest: nil, checkedAt: time.now, succeededAt: time.now.addingTimeInterval(-23 * 86_400))
    )
    let old = try #require(
      await findings(sources: [try question { () throws(UpstreamError) in refusing }], on: store)[.xkcd]
    )
    #expect(old.level == .problem && old.text.contains("23 days old"))
    #expect(old.advice?.contains("an hour") == false, "The pauses are those of the iTunes Store.")
  }

  @Test(arguments: ["", " ", "<html>", "{}"])
  func `says that the iTunes Store refuses if it sends a page or nothing`(body: String) async throws {
    let address = try #require(WebAddress("http://itunes.test/"))
    let answer = Reply(status: 200, headers: [:], body: Array(body.utf8), address: address)
    let question = SourceQuestion(
      .check(ITunesAddresses.standard),
      over: Transport { _ throws(UpstreamError) in answer }
    )
    let found = try #require(await findings(sources: [question])[.itunes])
    #expect(found.level == (body == "{}" ? .ok : .warning), "\(found)")
  }

  @Test func `says in the server since when the iTunes Store refuses, and doesn't ask it`() async throws {
    let time = time
    let exchange = Exchange.check(ITunesAddresses.standard)
    let question = SourceQuestion(
      exchange,
      over: Transport { _ throws(UpstreamError) in
        Issue.record("It was asked.")
        throw .cancelled
      }
    )
    let examination = Examination(
      of: StoreLocation(folder.path("data")),
      settings: ServerSettings(port: 0),
      sources: [question],
      isServing: true,
      storePause: { SourcePause(since: time.now - 480, nextTry: time.now + 10) },
      now: { time.now }
    )
    let found = await examination.diagnosis().findings.first { $0.subject == .itunes }
    #expect(found?.level == .warning)
    #expect(
      found?.text == "The iTunes Store has refused since 11:52 UTC; next try at 12:01 UTC.",
      "rounded up, so that it isn't too early"
    )
  }

  @Test(arguments: [(-400.0, Finding.Level.warning), (400, .warning), (200, .ok), (-100_000, .problem)])
  func `compares the clock with that of a source`(seconds: TimeInterval, level: Finding.Level) async throws {
    let answer = try reply(after: seconds)
    let found = await findings(sources: [try question { () throws(UpstreamError) in answer }])
    #expect(found[.clock]?.level == level)
  }

  @Test(arguments: ["1e300", "-1e300", "inf", "nan", "99999999999999999999", "4294967295", "-5"])
  func `survives any age of a source's answer`(age: String) async throws {
    let answer = try reply(age: age)
    let found = await findings(sources: [try question { () throws(UpstreamError) in answer }])
    #expect(found[.clock]?.level == (age == "4294967295" ? .problem : .ok))
  }

  @Test(
    arguments: [
      (0, "less than a minute"), (1e300, "6405119470038038 days"), (-.infinity, "less than a minute"),
    ] as [(TimeInterval, String)]
  )
  func `spells any duration`(seconds: TimeInterval, text: String) {
    #expect(Examination.spelled(seconds: seconds) == text)
  }

  @Test func `finds what others can read`() async throws {
    try await Store.open(folder.path("data")).closeOnNewThread()
    #expect(await findings()[.permissions]?.level == .ok)
    let file = folder.path("data/longbox.sqlite").path
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    let found = try #require(await findings()[.permissions])
    #expect(found.level == .problem)
    #expect(found.advice?.contains("chmod 600 \(file)") == true)
  }

  @Test func `counts the days of certificates`() async throws {
    try await Store.open(folder.path("data")).closeOnNewThread()
    let tls = HouseholdAuthority.folder(in: folder.path("data"))
    _ = try HouseholdAuthority.loadOrCreate(in: tls, for: MachineNames.current([]), names: [], at: time.now)
    var settings = ServerSettings(host: "0.0.0.0", port: 0)
    settings.tls = .household(folder: tls)
    settings.isOpen = true
    let fresh = try #require(await findings(settings)[.certificates])
    #expect(fresh.level == .ok)
    #expect(
      fresh.text.contains("for 3652 more days") || fresh.text.contains("for 3651 more days"),
      "\(fresh.text)"
    )
    // The operator's own file; the authority's serves as one.
    settings.tls = .files(
      certificate: tls.appending(path: "authority.pem"),
      key: tls.appending(path: "authority.key.pem")
    )
    time.advance(by: 3_645 * 86_400)
    #expect(await findings(settings)[.certificates]?.level == .warning)
    time.advance(by: 10 * 86_400)
    #expect(await findings(settings)[.certificates]?.level == .problem)
    settings.tls = .off
    #expect(await findings(settings)[.certificates]?.level == .warning)
  }

  @Test func `misses a passphrase, a backup and space`() async throws {
    let store = try Store.open(folder.path("data"))
    var settings = ServerSettings(host: "0.0.0.0", port: 0)
    settings.limits.storage.libraries.freeSpace = .max / 4
    settings.backups = BackupFolder(folder.path("kept"))
    let found = await findings(settings, on: store)
    #expect(found[.keys]?.level == .problem)
    #expect(found[.disk]?.level == .problem)
    #expect(found[.backups]?.level == .warning)
    try folder.write([1], to: "kept/longbox-2027-01-15.backup")
    #expect(await findings(settings)[.backups]?.text.contains("; 1 is kept.") == true)
  }

  @Test func `warns of a contact that push services refuse`() async throws {
    var settings = ServerSettings(port: 0)
    #expect(await findings(settings)[.contact]?.level == .ok)
    settings.contact = PushContact("me@example.org")
    #expect(await findings(settings)[.contact]?.text == "Push services take the contact.")
    settings.contact = PushContact("me@nas.local")
    let found = try #require(await findings(settings)[.contact])
    #expect(found.level == .warning)
    #expect(found.text.contains("“me@nas.local”") && found.advice?.contains("you@example.org") == true)
  }

  @Test func `counts the requests for a name that isn't the server's`() async throws {
    var settings = ServerSettings(port: 0)
    settings.hostNames = ["books.lan"]
    #expect(await findings(settings)[.names] == nil)
    let found = try #require(await findings(settings, refused: .init(count: 12, last: "nas.lan"))[.names])
    #expect(found.level == .warning)
    #expect(
      found.text
        == "12 requests were refused since the server started: the last one called the server “nas.lan”, which isn't one of its names."
    )
    #expect(found.advice?.hasSuffix(": LONGBOX_HOST_NAMES=books.lan,nas.lan") == true)
    let malformed = try #require(await findings(refused: .init(count: 1, last: "<b>"))[.names])
    #expect(malformed.text.hasPrefix("1 request was refused") && !malformed.text.contains("<"))
    #expect(malformed.advice?.contains("<") == false)
  }

  @Test func `spells one thing and several`() async throws {
    #expect(Examination.counted(1, "comic") == "1 comic")
    #expect(Examination.counted(0, "comic") == "0 comics")
    let found = await findings(on: try Store.open(folder.path("data")))
    #expect(found[.subscriptions]?.text == "0 browsers are notified of new comics.")
  }

  @Test func `writes lines and JSON`() throws {
    let findings: [Finding] = [
      .ok(.store, "All is whole."), .warning(.disk, "Little is free.", "Free some."),
    ]
    let diagnosis = Diagnosis(date: time.now, findings: findings)
    #expect(diagnosis.worst == .warning)
    #expect(
      diagnosis.lines == [
        "ok       Store: All is whole.", "warning  Disk: Little is free.", "         → Free some.",
      ]
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.dateEncodingStrategy = .iso8601
    let json = String(decoding: try encoder.encode(diagnosis), as: UTF8.self)
    #expect(
      json
        == #"{"checkedAt":"2027-01-15T12:00:00Z","findings":[{"level":"ok","subject":"store","text":"All is whole."},"#
        + #"{"advice":"Free some.","level":"warning","subject":"disk","text":"Little is free."}],"worst":"warning"}"#
    )
  }

  @Test func `is shown to the operator alone`() async throws {
    try await withServer { bench async throws in
      let page = try await bench.get("/settings/server")
      #expect(page.status == .notFound, "without a socket, no client is on this machine")
    }
    let time = SettableTime()
    try await withServer(
      time: time,
      network: { _ in NetworkAccess(gate: AccessGate(mode: .open)) },
      { bench async throws in #expect(try await bench.get("/settings/server").status == .notFound) }
    )
  }
}

@Suite("The memory of a container") struct SystemMemoryTests {
  private let folder = TemporaryFolder()

  private func available(_ files: [String: String]) throws -> Int? {
    for (name, text) in files { try folder.write(Array(text.utf8), to: name) }
    return SystemMemory.availableBytes(inGroup: folder.url.path)
  }

  @Test func `includes the cache of files that the kernel frees`() throws {
    #expect(try available(["memory.current": "900\n"]) == nil)
    #expect(try available(["memory.max": "max\n"]) == nil)
    #expect(try available(["memory.max": "1000\n"]) == 100)
    #expect(try available(["memory.stat": "anon 400\ninactive_file 300\nactive_file 200\n"]) == 400)
    #expect(try available(["memory.current": "1100\n", "memory.stat": "inactive_file 0\n"]) == 0)
  }
}

@Suite("A port", .timeLimit(.minutes(10))) struct PortProbeTests {
  /// Probes a server that gives the same response to all requests.
  private func outcome(
    at host: String = "localhost",
    _ status: HTTPResponse.Status,
    _ fields: HTTPFields = [:],
    body: String = ""
  ) async throws -> PortProbe.Outcome {
    let router = Router(context: BasicRequestContext.self)
    router.get("healthz") { _, _ in
      Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
    }
    return try await Application(router: router, logger: .silent).test(.live) { client in
      let port = try #require(client.port)
      return await PortProbe(host: host, port: port, path: "/healthz").outcome()
    }
  }

  @Test func `has Longbox if it answers as that does`() async throws {
    #expect(try await outcome(.ok, body: #"{"comics":3000}"#) == .longbox(nil))
    let refusing =
      #"{"albumsNextTry":"2027-01-15T07:20:00Z","albumsRefusedSince":"2027-01-15T07:12:30Z","comics":3000}"#
    let pause = SourcePause(
      since: Date(timeIntervalSince1970: 1_799_997_150),
      nextTry: Date(timeIntervalSince1970: 1_799_997_600)
    )
    #expect(try await outcome(.ok, body: refusing) == .longbox(pause))
    #expect(try await outcome(.ok, body: "hello") == .other)
    #expect(try await outcome(.ok, body: String(repeating: "comics", count: 20_000)) == .other)
  }

  @Test func `has another program if that redirects this machine`() async throws {
    let fields: HTTPFields = [.location: "https://localhost/healthz"]
    #expect(try await outcome(.temporaryRedirect, fields) == .other)
    // The setting for the host takes only the name in lower case for this machine.
    #expect(try await outcome(at: "LOCALHOST", .temporaryRedirect, fields) == .longbox(nil))
  }
}
