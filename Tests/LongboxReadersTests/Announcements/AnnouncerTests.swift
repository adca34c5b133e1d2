// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxPush
import LongboxStore
import PushTestSupport
import ServiceLifecycle
import Synchronization
import Testing
import TestSupport

@testable import LongboxCatalog
@testable import LongboxReaders

/// An announcer with a test catalog, a fake push service and subscriptions.
private struct World: Sendable {
  let bench: CatalogBench
  let service: FakePushService
  let announcer: Announcer
  let browser = FakeBrowser()

  /// Timeouts are long enough for a busy machine, unless a test sets its own.
  init(_ bench: CatalogBench, _ service: FakePushService, time: Duration = .seconds(600)) throws {
    self.bench = bench
    self.service = service
    let keys = try VAPIDKeys.loadOrCreate(in: bench.folder.url)
    let trusted = try #require(PushEndpoint.Origin(service.origin))
    var limits = PushSender.Limits()
    limits.time = time
    var announcer = Announcer(
      catalog: bench.catalog,
      store: bench.store,
      sender: PushSender(keys: keys, trusting: [trusted], limits: limits),
      thumbnail: { _ in nil },
      rejections: RejectionLog(logger: .silent),
      logger: .silent,
      now: { bench.time.now }
    )
    announcer.comics.sourceLimit = .seconds(600)
    self.announcer = announcer
  }

  @discardableResult
  func subscribe(
    _ name: String,
    at origin: String? = nil,
    _ preferences: PushPreferences = PushPreferences()
  ) async throws -> StoredSubscription {
    let origin = origin ?? service.origin
    let new = NewSubscription(
      endpoint: "\(origin)/\(name)",
      service: origin,
      publicKey: browser.publicKey,
      secret: browser.secret,
      preferences: preferences
    )
    let newest = bench.catalog.snapshot.archive.latest?.number
    let stored = try #require(
      try await bench.store.subscriptions.save(new, newest: newest, at: bench.time.now)
    )
    try await bench.store.subscriptions.confirm(stored)
    return stored
  }

  /// Publishes comics and notifies subscribers, like one pass of the announcer.
  @discardableResult
  func publish(upTo latest: Int) async throws -> Date? {
    bench.xkcd.publish(upTo: latest)
    try await bench.catalog.refresher.checkNewest()
    return try await announce()
  }

  @discardableResult
  func announce() async throws -> Date? {
    let newest = try #require(bench.catalog.snapshot.archive.latest?.number)
    return try await announcer.announce(upTo: newest, since: bench.time.now)
  }

  /// The received notifications as `name:comic`, in order.
  func notified() throws -> [String] {
    try service.messages.map { message in
      let news = try JSONDecoder().decode([String: Value].self, from: Data(browser.text(of: message.body)))
      let count = news["count"].map { "(\($0))" } ?? ""
      return "\(message.path.dropFirst()):\(news["comic"].map { "\($0)" } ?? "")\(count)"
    }
  }

  private enum Value: Decodable, CustomStringConvertible {
    case number(Int)
    case other

    init(from decoder: any Decoder) throws {
      self = (try? decoder.singleValueContainer().decode(Int.self)).map { .number($0) } ?? .other
    }

    var description: String {
      if case .number(let number) = self { return "\(number)" }
      return "?"
    }
  }
}

@Suite("The announcer", .timeLimit(.minutes(10))) struct AnnouncerTests {
  private func withWorld(
    time: Duration = .seconds(600),
    answering answer: @escaping @Sendable (FakePushService.Message) -> FakePushService.Reply = { _ in
      .status(201)
    },
    _ body: @Sendable (World) async throws -> Void
  ) async throws {
    try await FakePushService.run(answering: answer) { service async throws in
      try await withCatalog(FakeXkcd(latest: 6), settings: .init(fills: false, timeout: .seconds(600))) {
        bench async throws in
        await bench.catalog.prepare()
        try await body(World(bench, service, time: time))
      }
    }
  }

  @Test func `notifies each subscriber of each comic once`() async throws {
    try await withWorld { world async throws in
      for name in ["a", "b"] { try await world.subscribe(name) }
      #expect(try await world.announce() == nil)
      #expect(try world.notified() == [])
      #expect(try await world.publish(upTo: 7) == nil)
      #expect(Set(try world.notified()) == ["a:7", "b:7"])
      for _ in 1...3 { try await world.announce() }
      #expect(world.service.messages.count == 2)
      let message = try #require(world.service.messages.first)
      #expect(message.field("Topic") == "comic-7" && message.field("Urgency") == "normal")
      #expect(message.field("TTL") == "259200")
      try await world.subscribe("late")
      try await world.publish(upTo: 8)
      #expect(Set(try world.notified().dropFirst(2)) == ["a:8", "b:8", "late:8"])
    }
  }

  @Test func `notifies of a few missed comics one by one, and of many in one message`() async throws {
    try await withWorld { world async throws in
      try await world.subscribe("a")
      try await world.publish(upTo: 9)
      #expect(try world.notified() == ["a:7", "a:8", "a:9"])
      try await world.publish(upTo: 14)
      #expect(try world.notified().last == "a:14(5)")
      #expect(world.service.messages.count == 4)
    }
  }

  @Test func `does not notify again of a comic that was replaced`() async throws {
    try await withWorld { world async throws in
      try await world.subscribe("a")
      try await world.publish(upTo: 7)
      world.bench.xkcd.set(HandmadeRecord.raw(7, title: "Better bread"), for: 7)
      try await world.bench.catalog.refresher.checkNewest()
      #expect(world.bench.catalog.snapshot.archive.latest?.title == "Better bread")
      try await world.announce()
      #expect(try world.notified() == ["a:7"])
    }
  }

  @Test func `waits an hour for a missing comic, then skips it`() async throws {
    try await withWorld { world async throws in
      try await world.subscribe("a")
      world.bench.xkcd.publish(upTo: 8)
      world.bench.xkcd.set(.status(500), at: "/7/info.0.json")
      try await world.bench.catalog.refresher.checkNewest()
      let newest = try #require(world.bench.catalog.snapshot.archive.latest?.number)
      let since = world.bench.time.now
      let next = try #require(try await world.announcer.announce(upTo: newest, since: since))
      #expect(next > since)
      #expect(try world.notified() == [])
      world.bench.time.advance(by: 3601)
      _ = try await world.announcer.announce(upTo: newest, since: since)
      #expect(try world.notified() == ["a:8"], "After an hour it is passed over.")
    }
  }

  @Test func `stays silent in quiet hours, and notifies after them`() async throws {
    try await withWorld { world async throws in
      // The test clock is at noon UTC.
      let siesta = PushPreferences(quietHours: QuietHours(from: 660, until: 780), timeZone: "UTC")
      try await world.subscribe("a", siesta)
      let due = try #require(try await world.publish(upTo: 7))
      #expect(due == world.bench.time.now.addingTimeInterval(3600))
      #expect(try world.notified() == [])
      world.bench.time.advance(by: 3600)
      try await world.announce()
      #expect(try world.notified() == ["a:7"])
    }
  }

  /// The push service's first response, the number of attempts in the next hour, and the remaining
  /// subscriptions.
  @Test(arguments: [(410, 1, 0), (404, 1, 0), (413, 1, 1), (500, 2, 1), (429, 2, 1)])
  func `follows the response of the push service`(status: Int, tries: Int, left: Int) async throws {
    let isFirst = Mutex(true)
    try await withWorld(
      answering: { _ in
        let wasFirst = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        return wasFirst ? .status(status, "Retry-After: 600") : .status(201)
      }
    ) { world async throws in
      try await world.subscribe("a")
      try await world.publish(upTo: 7)
      world.bench.time.advance(by: 599)
      try await world.announce()
      #expect(world.service.messages.count == 1, "Not before the service wants it.")
      world.bench.time.advance(by: 3600)
      try await world.announce()
      #expect(world.service.messages.count == tries)
      #expect(try await world.bench.store.subscriptions.all().count == left)
    }
  }

  @Test(arguments: [401, 403])
  func `loses no comic while a push service rejects the server's key`(status: Int) async throws {
    let rejects = Mutex(true)
    try await withWorld(answering: { _ in rejects.withLock { $0 } ? .status(status) : .status(201) }) {
      world async throws in
      try await world.subscribe("a")
      let store = world.bench.store
      for latest in 7...17 { try await world.publish(upTo: latest) }
      let interrupted = try #require(try await store.subscriptions.all().first)
      #expect(interrupted.isInterrupted && interrupted.announced?.value == 6)
      #expect(interrupted.failure?.contains("\(status)") == true)
      #expect(world.service.messages.count == 1, "nothing more is sent to it")
      // The browser subscribes with the new key.
      rejects.withLock { $0 = false }
      let new = NewSubscription(
        endpoint: "\(world.service.origin)/b",
        service: world.service.origin,
        publicKey: world.browser.publicKey,
        secret: world.browser.secret,
        replaces: "\(world.service.origin)/a"
      )
      let renewed = try #require(
        try await store.subscriptions.save(new, newest: .init(of: 17), at: world.bench.time.now)
      )
      #expect(renewed.id == interrupted.id && !renewed.isConfirmed && !renewed.isInterrupted)
      #expect(renewed.createdAt == world.bench.time.now, "it has a day to be confirmed")
      try await store.subscriptions.confirm(renewed)
      try await world.announce()
      #expect(try #require(try world.notified().last).hasPrefix("b:17("), "it gets all that it missed")
    }
  }

  @Test func `gives up on a comic after many attempts, but not on the next one`() async throws {
    try await withWorld(answering: { _ in .status(500) }) { world async throws in
      try await world.subscribe("a")
      try await world.publish(upTo: 7)
      for _ in 1...30 {
        world.bench.time.advance(by: 10 * 3600)
        try await world.announce()
      }
      #expect(world.service.messages.count == 12)
      try await world.publish(upTo: 8)
      #expect(try world.notified().last == "a:8")
    }
  }

  @Test func `isolates subscribers from each other's failures`() async throws {
    try await withWorld(
      time: .seconds(30),
      answering: { message in
        switch message.path.split(separator: "-").first {
        case "/hang": .silence
        case "/gone": .status(410)
        case "/busy": .status(429, "Retry-After: 60")
        case "/broken": .status(500)
        default: .status(201)
        }
      }
    ) { world async throws in
      for number in 1...30 {
        for name in ["hang", "gone", "busy", "broken", "well"] {
          try await world.subscribe("\(name)-\(number)")
        }
      }
      try await world.publish(upTo: 7)
      let kept = try await world.bench.store.subscriptions.all()
      #expect(kept.count == 120)
      for subscription in kept {
        let isWell = subscription.endpoint.contains("/well-")
        #expect((subscription.announced?.value == 7) == isWell, "\(subscription.endpoint)")
        #expect((subscription.failure == nil) == isWell)
        #expect((subscription.nextTry == nil) == isWell)
      }
      #expect(world.service.messages.count == 150)
    }
  }

  @Test func `stops a round early if a service never responds`() async throws {
    try await withWorld(time: .seconds(1), answering: { _ in .silence }) { world async throws in
      for number in 1...400 { try await world.subscribe("\(number)") }
      try await world.publish(upTo: 7)
      #expect(world.service.messages.count < 400)
      let kept = try await world.bench.store.subscriptions.all()
      #expect(kept.allSatisfy { $0.nextTry != nil && $0.announced?.value == 6 })
    }
  }

  @Test func `pauses for no longer than the store believes`() {
    let pause = RetryPause.seconds(attempts: 99, requested: .seconds(10 * 86_400), jitter: 1)
    #expect(Int(pause) <= StoredPause.notification.longest)
  }

  @Test func `rejects private addresses without connecting`() async throws {
    try await withWorld { world async throws in
      for name in ["a", "b"] {
        try await world.subscribe(name, at: "https://localhost:\(world.service.port)")
      }
      let due = try #require(try await world.publish(upTo: 7))
      #expect(due > world.bench.time.now)
      #expect(world.service.connections == 0)
      let kept = try await world.bench.store.subscriptions.all()
      #expect(kept.allSatisfy { $0.failure != nil })
    }
  }

  /// Copies of the data folder, as a kill would leave it while a message is in progress and after it.
  @Test func `repeats only a message that was in progress when the process was killed`() async throws {
    let folder = TemporaryFolder()
    let copies = Mutex<[TemporaryFolder]>([])
    @Sendable func copyFolder() {
      if let copy = try? folder.copy() { copies.withLock { $0.append(copy) } }
    }
    let answer: @Sendable (FakePushService.Message) -> FakePushService.Reply = { _ in
      copyFolder()
      return .status(201)
    }
    try await FakePushService.run(answering: answer) { service async throws in
      let xkcd = FakeXkcd(latest: 6)
      try await withCatalog(xkcd, in: folder, settings: .init(fills: false, timeout: .seconds(600))) {
        bench async throws in
        await bench.catalog.prepare()
        let world = try World(bench, service)
        try await world.subscribe("a")
        try await world.publish(upTo: 7)
        copyFolder()
      }
      #expect(service.messages.count == 1)
      let killed = copies.withLock { $0 }
      try #require(killed.count == 2)
      for (copy, repeats) in zip(killed, [1, 0]) {
        let sent = service.messages.count
        try await withCatalog(xkcd, in: copy, settings: .init(fills: false)) { bench async throws in
          let world = try World(bench, service)
          for _ in 1...2 { try await world.announce() }
        }
        #expect(service.messages.count - sent == repeats)
      }
      #expect(Set(service.messages.map { $0.field("Topic") }) == ["comic-7"], "One takes the other's place.")
    }
  }

  @Test func `runs as a service and stops cleanly`() async throws {
    try await withWorld { world async throws in
      try await world.subscribe("a")
      let group = ServiceGroup(configuration: .init(services: [world.announcer], logger: .silent))
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        world.bench.xkcd.publish(upTo: 7)
        try await world.bench.catalog.refresher.checkNewest()
        await eventually { world.service.messages.count == 1 }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
      #expect(try world.notified() == ["a:7"])
      #expect(try await world.bench.store.subscriptions.all().first?.announced?.value == 7)
    }
  }
}
