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

/// An announcer with a test catalog and stand-ins for the programs behind hooks.
private struct World: Sendable {
  let bench: CatalogBench
  let service: FakePushService
  let hooks: [Hook]
  let announcer: HookAnnouncer

  init(_ bench: CatalogBench, _ service: FakePushService, _ names: [String]) throws {
    self.bench = bench
    self.service = service
    hooks = try names.map { try Hook("\(service.origin)/\($0)") }
    announcer = HookAnnouncer(
      catalog: bench.catalog,
      store: bench.store,
      sender: HookSender(hooks, userAgent: "Longbox/7", now: { [time = bench.time] in time.now }),
      message: { comic in
        HookMessage(
          number: comic.number.value,
          title: comic.title.description,
          link: "",
          picture: nil,
          altText: "",
          json: Array("\(comic.number.value)".utf8)
        )
      },
      sourceLimit: .seconds(600),
      logger: .silent,
      now: { [time = bench.time] in time.now }
    )
  }

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

  /// What was received as `name:comic`, in order.
  var received: [String] {
    service.messages.map { "\($0.path.dropFirst()):\(String(decoding: $0.body, as: UTF8.self))" }
  }

  func latest() async throws -> [HookDelivery?] { try await bench.store.hooks.latest(of: hooks.map(\.id)) }
}

@Suite("The announcer for hooks", .timeLimit(.minutes(10))) struct HookAnnouncerTests {
  private func withWorld(
    _ names: [String] = ["a", "b"],
    answering answer: @escaping @Sendable (FakePushService.Message) -> FakePushService.Reply = { _ in
      .status(204)
    },
    _ body: @Sendable (World) async throws -> Void
  ) async throws {
    try await FakePushService.run(answering: answer) { service async throws in
      try await withCatalog(FakeXkcd(latest: 6), settings: .init(fills: false, timeout: .seconds(600))) {
        bench async throws in
        await bench.catalog.prepare()
        let world = try World(bench, service, names)
        // From here on the hooks are known.
        try await world.announce()
        #expect(world.received == [])
        try await body(world)
      }
    }
  }

  @Test func `notifies each hook of each new comic once`() async throws {
    try await withWorld { world async throws in
      #expect(try await world.publish(upTo: 7) == nil)
      #expect(Set(world.received) == ["a:7", "b:7"])
      for _ in 1...3 { try await world.announce() }
      try await World(world.bench, world.service, ["a", "b", "late"]).announce()
      #expect(world.received.count == 2)
      #expect(Set(world.service.messages.compactMap { $0.field("X-Longbox-Delivery") }).count == 2)
      #expect(try await world.latest().map { $0?.state } == [.delivered, .delivered])
    }
  }

  @Test func `notifies of at most three missed comics`() async throws {
    try await withWorld(["a"]) { world async throws in
      try await world.publish(upTo: 12)
      #expect(world.received == ["a:10", "a:11", "a:12"])
    }
  }

  @Test func `tries again with growing pauses for a day, and as the service asks`() async throws {
    try await withWorld(["a"], answering: { _ in .status(503, "Retry-After: 600") }) { world async throws in
      let start = world.bench.time.now
      var due = try await world.publish(upTo: 7)
      var pauses: [TimeInterval] = []
      while let next = due {
        pauses.append(next.timeIntervalSince(world.bench.time.now))
        world.bench.time.advance(by: next.timeIntervalSince(world.bench.time.now))
        due = try await world.announce()
      }
      #expect(pauses.first.map { (599...901).contains($0) } == true)
      #expect(pauses.last.map { $0 > 5000 } == true)
      #expect((6...30).contains(pauses.count), "\(pauses)")
      #expect(world.bench.time.now.timeIntervalSince(start) <= 86_401)
      let last = try #require(try await world.latest().first ?? nil)
      #expect(last.state == .failed && last.failure?.contains("503") == true)
      #expect(Set(world.service.messages.compactMap { $0.field("X-Longbox-Delivery") }).count == 1)
      try await world.publish(upTo: 8)
      #expect(world.received.last == "a:8", "The next comic is tried.")
    }
  }

  @Test func `tries for a day from now on when the clock was ahead`() async throws {
    try await withWorld(["a"], answering: { _ in .status(503) }) { world async throws in
      let time = world.bench.time
      let ahead: TimeInterval = 300 * 86_400
      time.advance(by: ahead)
      try await world.publish(upTo: 7)
      time.advance(by: -ahead)
      let start = time.now
      while let next = try await world.announce() { time.advance(by: next.timeIntervalSince(time.now)) }
      #expect((40_000...86_401).contains(time.now.timeIntervalSince(start)))
      #expect(try await world.latest().map { $0?.state } == [.failed])
    }
  }

  @Test func `gives up where it is refused, and disturbs no other hook`() async throws {
    try await withWorld(answering: { .status($0.path == "/a" ? 404 : 204) }) { world async throws in
      #expect(try await world.publish(upTo: 7) == nil)
      for _ in 1...3 { try await world.announce() }
      #expect(Set(world.received) == ["a:7", "b:7"] && world.received.count == 2)
      #expect(try await world.latest().map { $0?.state } == [.failed, .delivered])
    }
  }

  @Test func `waits for a missing comic, and skips it after an hour`() async throws {
    try await withWorld(["a"]) { world async throws in
      world.bench.xkcd.publish(upTo: 8)
      world.bench.xkcd.set(.status(500), at: "/7/info.0.json")
      try await world.bench.catalog.refresher.checkNewest()
      let newest = try #require(world.bench.catalog.snapshot.archive.latest?.number)
      let since = world.bench.time.now
      let next = try #require(try await world.announcer.announce(upTo: newest, since: since))
      #expect(next > since && world.received == [])
      world.bench.time.advance(by: 3601)
      _ = try await world.announcer.announce(upTo: newest, since: since)
      #expect(world.received == ["a:8"])
    }
  }

  @Test func `waits for a comic that an earlier leader scheduled and this node lacks`() async throws {
    try await withWorld(["a"]) { world async throws in
      let start = world.bench.time.now
      world.bench.xkcd.publish(upTo: 7)
      world.bench.xkcd.set(.status(500), at: "/7/info.0.json")
      try await world.bench.store.hooks
        .schedule(for: world.hooks.map(\.id), upTo: Comic.Number(of: 7), atMost: 3, at: start)
      let next = try #require(try await world.announce())
      #expect(next > start && world.received == [])
      #expect(try await world.latest().map { $0?.state } == [.due])
      world.bench.xkcd.set(nil, at: "/7/info.0.json")
      world.bench.time.advance(by: 900)
      #expect(try await world.announce() == nil)
      #expect(world.received == ["a:7"])
      #expect(try await world.latest().map { $0?.state } == [.delivered])
    }
  }

  @Test func `gives up a scheduled comic that is missing for an hour`() async throws {
    try await withWorld(["a"]) { world async throws in
      try await world.bench.store.hooks
        .schedule(for: world.hooks.map(\.id), upTo: Comic.Number(of: 7), atMost: 3, at: world.bench.time.now)
      try await world.announce()
      world.bench.time.advance(by: 3601)
      #expect(try await world.announce() == nil)
      #expect(world.received == [])
      #expect(try await world.latest().map { $0?.state } == [.failed])
    }
  }

  /// Copies of the data folder, as a kill would leave it while a message is in progress and after its acknowledgement.
  @Test func `repeats only a message that was in progress when the process was killed`() async throws {
    let folder = TemporaryFolder()
    let copies = Mutex<[TemporaryFolder]>([])
    @Sendable func copyFolder() {
      if let copy = try? folder.copy() { copies.withLock { $0.append(copy) } }
    }
    let answer: @Sendable (FakePushService.Message) -> FakePushService.Reply = { _ in
      copyFolder()
      return .status(204)
    }
    try await FakePushService.run(answering: answer) { service async throws in
      let xkcd = FakeXkcd(latest: 6)
      try await withCatalog(xkcd, in: folder, settings: .init(fills: false, timeout: .seconds(600))) {
        bench async throws in
        await bench.catalog.prepare()
        let world = try World(bench, service, ["a"])
        try await world.announce()
        try await world.publish(upTo: 7)
        copyFolder()
      }
      let killed = copies.withLock { $0 }
      try #require(killed.count == 2)
      for (copy, repeats) in zip(killed, [1, 0]) {
        let sent = service.messages.count
        try await withCatalog(xkcd, in: copy, settings: .init(fills: false, timeout: .seconds(600))) {
          bench async throws in
          await bench.catalog.prepare()
          let world = try World(bench, service, ["a"])
          try await world.announce()
          #expect(service.messages.count == sent, "The claim's lease is not over.")
          bench.time.advance(by: 121)
          for _ in 1...2 { try await world.announce() }
        }
        #expect(service.messages.count - sent == repeats)
      }
      #expect(Set(service.messages.compactMap { $0.field("X-Longbox-Delivery") }).count == 1)
    }
  }

  @Test func `runs as a service and stops cleanly`() async throws {
    try await withWorld(["a"]) { world async throws in
      let group = ServiceGroup(configuration: .init(services: [world.announcer], logger: .silent))
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        world.bench.xkcd.publish(upTo: 7)
        try await world.bench.catalog.refresher.checkNewest()
        await eventually { world.service.messages.count == 1 }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
      #expect(world.received == ["a:7"])
      #expect(try await world.latest().first??.state == .delivered)
    }
  }
}
