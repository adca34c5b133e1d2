// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Dispatch
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LongboxCore
import LongboxPages
import LongboxReaders
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import LongboxServer

/// Keeps pieces of work waiting until a test opens it.
private final class Gate: Sendable {
  private let opened = DispatchSemaphore(value: 0)
  private let arrivals = Mutex(0)

  /// The number of pieces that have come to the gate.
  var count: Int { arrivals.withLock { $0 } }

  /// Waits until the gate is open; half a minute without that fails the test.
  func pass() {
    arrivals.withLock { $0 += 1 }
    if opened.wait(timeout: .now() + 30) == .timedOut { Issue.record("The gate stays shut.") }
    opened.signal()
  }

  func open() { opened.signal() }
}

/// The names of pieces, in the order in which they ran.
private final class Order: Sendable {
  private let names = Mutex<[String]>([])

  var all: [String] { names.withLock { $0 } }

  func add(_ name: String) { names.withLock { $0.append(name) } }
}

@Suite("Heavy work", .timeLimit(.minutes(10))) struct HeavyWorkTests {
  private let one = ClientAddress([192, 0, 2, 1])
  private let other = ClientAddress([192, 0, 2, 2])

  /// Makes pages after `wait`.
  private func rendering(
    _ wait: @escaping @Sendable (LongboxPages.Request, Library) -> Void
  ) -> PageController.Render {
    { route, request, archive, library, loaded, context in
      wait(request, library.library)
      return PageController.standardRender(route, request, archive, &library, loaded, context)
    }
  }

  @Test func `is done one piece at a time, and clients take turns`() async throws {
    let heavyWork = HeavyWork(incidents: IncidentLog(logger: .silent))
    let gate = Gate()
    let order = Order()
    let (one, other) = (one, other)
    try await withThrowingTaskGroup(of: Void.self) { group async throws in
      group.addTask { try await heavyWork.run(for: one) { gate.pass() } }
      await eventually { gate.count == 1 }
      for (client, name, count) in [(one, "a", 4), (other, "b", 2)] {
        for number in 1...count {
          group.addTask { try await heavyWork.run(for: client) { order.add("\(name)\(number)") } }
          await eventually { heavyWork.waitingCount(client) == number }
        }
      }
      #expect(try await heavyWork.run(for: one, if: false) { 5 } == 5, "what is light doesn't wait")
      gate.open()
      try await group.waitForAll()
    }
    #expect(order.all == ["a1", "b1", "a2", "b2", "a3", "a4"])
  }

  @Test func `of a client is refused if too much of it waits, and that of others is not`() async throws {
    let recorder = LogRecorder()
    let heavyWork = HeavyWork(incidents: IncidentLog(logger: recorder.logger))
    let gate = Gate()
    let (one, other) = (one, other)
    try await withThrowingTaskGroup(of: Void.self) { group async throws in
      group.addTask { try await heavyWork.run(for: one) { gate.pass() } }
      await eventually { gate.count == 1 }
      for _ in 0..<HeavyWork.mostWaiting { group.addTask { try await heavyWork.run(for: one) {} } }
      await eventually { heavyWork.waitingCount(one) == HeavyWork.mostWaiting }
      let rejection = await #expect(throws: HTTPError.self) {
        try await heavyWork.run(for: one) { Issue.record("It ran.") }
      }
      #expect(rejection?.status == .serviceUnavailable)
      #expect(recorder.count(of: .heavyWork) == 1)
      group.addTask { try await heavyWork.run(for: other) {} }
      await eventually { heavyWork.waitingCount(other) == 1 }
      gate.open()
      try await group.waitForAll()
    }
  }

  @Test func `for pages with what searches have found keeps no thread from another reader's form`()
    async throws
  {
    let gate = Gate()
    let render = rendering { request, _ in
      if request.query.description.contains("q=") { gate.pass() }
    }
    try await withServer(render: render) { bench async throws in
      try await withThrowingTaskGroup(of: Void.self) { group async throws in
        for number in 0..<8 {
          group.addTask { () async throws in
            #expect(try await bench.get("/search?q=bread+\(number)").status == .ok)
          }
        }
        await eventually { gate.count == 1 }
        var another = Browser(bench: bench)
        #expect(try await another.send("/favorites/set", "comic=3&on=yes").status == .seeOther)
        #expect(gate.count == 1, "only one search is being shown")
        gate.open()
        try await group.waitForAll()
      }
      #expect(gate.count == 8)
    }
  }

  @Test func `for large syncs and imports waits for its turn, and another reader's form does not`()
    async throws
  {
    let gate = Gate()
    let order = Order()
    let render = rendering { request, _ in
      if request.query.description.contains("q=") { gate.pass() }
    }
    try await withServer(render: render) { bench async throws in
      var device = SyncingDevice(bench, device: 1)
      let editTime = device.replica.editTime(at: device.now)
      for number in 0...HeavyWork.largeChange.entries {
        try device.replica.library.save("1", kind: "test", name: Text(decimal: number), at: editTime)
      }
      let large = device
      try await withThrowingTaskGroup(of: Void.self) { group async throws in
        group.addTask { () async throws in #expect(try await bench.get("/search?q=bread").status == .ok) }
        await eventually { gate.count == 1 }
        group.addTask { () async throws in
          var large = large
          try await large.sync()
          order.add("sync")
        }
        group.addTask { () async throws in
          var reader = Browser(bench: bench)
          let page = try await reader.post(
            "/settings/import",
            ByteBuffer(
              string: "--X\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\n1 2 3\r\n--X--\r\n"
            ),
            as: "multipart/form-data; boundary=X"
          )
          #expect(page.text.contains("3 favorites added"))
          order.add("import")
        }
        var another = Browser(bench: bench)
        #expect(try await another.send("/favorites/set", "comic=3&on=yes").status == .seeOther)
        var small = SyncingDevice(bench, device: 2)
        try small.like(5)
        try await small.sync()
        #expect(order.all.isEmpty, "what is heavy waits for the search")
        gate.open()
        try await group.waitForAll()
      }
      #expect(Set(order.all) == ["sync", "import"])
    }
  }

  @Test(arguments: ["/archive?since=0", "/explanations?since=0", "/api/comics?limit=101"])
  func `for what a device or a program downloads waits for its turn`(address: String) async throws {
    let gate = Gate()
    let order = Order()
    let render = rendering { request, _ in
      if request.query.description.contains("q=") { gate.pass() }
    }
    try await withServer(FakeXkcd(latest: 110), storing: 1...110, render: render) { bench async throws in
      try await withThrowingTaskGroup(of: Void.self) { group async throws in
        group.addTask { () async throws in #expect(try await bench.get("/search?q=bread").status == .ok) }
        await eventually { gate.count == 1 }
        group.addTask { () async throws in
          #expect(try await bench.get(address).status == .ok)
          order.add(address)
        }
        var another = Browser(bench: bench)
        #expect(try await another.send("/favorites/set", "comic=3&on=yes").status == .seeOther)
        #expect(try await bench.get("/api/comics?limit=3").status == .ok)
        #expect(order.all.isEmpty, "it waits for the search")
        gate.open()
        try await group.waitForAll()
      }
      #expect(order.all == [address])
    }
  }

  @Test func `for the pages of a large library keeps no thread from another reader's form`() async throws {
    let gate = Gate()
    let render = rendering { request, library in
      if request.method == .get, library.entries.count > HeavyWork.largeLibrary { gate.pass() }
    }
    try await withServer(render: render) { bench async throws in
      var device = SyncingDevice(bench, device: 1)
      let editTime = device.replica.editTime(at: device.now)
      for number in 0...HeavyWork.largeLibrary {
        try device.replica.library.save("1", kind: "test", name: Text(decimal: number), at: editTime)
      }
      try await device.sync()
      let reader = device.browser
      try await withThrowingTaskGroup(of: Void.self) { group async throws in
        for _ in 0..<8 {
          group.addTask { () async throws in #expect(try await reader.get("/favorites").status == .ok) }
        }
        await eventually { gate.count == 1 }
        var another = Browser(bench: bench)
        #expect(try await another.send("/favorites/set", "comic=3&on=yes").status == .seeOther)
        #expect(try await another.get("/favorites").status == .ok)
        #expect(gate.count == 1, "only one large page is being made")
        gate.open()
        try await group.waitForAll()
      }
      #expect(gate.count == 8)
    }
  }
}
