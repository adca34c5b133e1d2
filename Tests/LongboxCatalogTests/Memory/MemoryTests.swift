// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import Synchronization
import Testing
import TestSupport

@testable import LongboxCatalog
@testable import LongboxUpstream

@Suite("The memory cache") struct MemoryCacheTests {
  @Test func `holds entries up to its limit`() {
    let cache = MemoryCache<Int, String>(limit: 100)
    for key in 0..<50 { cache.insert("\(key)", for: key, cost: 10) }
    #expect(cache.statistics.cost <= 100)
    #expect(cache[49] == "49")
    #expect(cache[0] == nil)
  }

  @Test func `evicts the least recently used entry`() {
    let cache = MemoryCache<Int, String>(limit: 100)
    for key in 0..<10 { cache.insert("\(key)", for: key, cost: 10) }
    #expect(cache[0] == "0")
    cache.insert("new", for: 10, cost: 10)
    #expect(cache[0] == "0")
    #expect(cache[1] == nil)
    #expect(cache[10] == "new")
    #expect(cache.statistics.cost == 70, "A quarter leaves at once.")
  }

  @Test func `rejects a value above half of its limit, and drops the one it would replace`() {
    let cache = MemoryCache<Int, String>(limit: 100)
    cache.insert("small", for: 1, cost: 10)
    cache.insert("large", for: 1, cost: 51)
    #expect(cache[1] == nil)
    #expect(cache.statistics.cost == 0)
    cache.insert("half", for: 1, cost: 50)
    #expect(cache[1] == "half")
  }

  @Test func `counts a replaced value once`() {
    let cache = MemoryCache<Int, String>(limit: 100)
    for cost in 1...40 { cache.insert("\(cost)", for: 1, cost: cost) }
    #expect(cache.statistics.cost == 40)
    cache.remove(1)
    #expect(cache.statistics.cost == 0)
    cache.insert("x", for: 2, cost: 3)
    cache.removeAll()
    #expect(cache[2] == nil)
    #expect(cache.statistics.cost == 0)
  }

  @Test func `stays below its limit under concurrent use`() async {
    let cache = MemoryCache<Int, Int>(limit: 1_000)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for step in 0..<500 {
            cache.insert(step, for: (task * 31 + step) % 97, cost: step % 60)
            _ = cache[step % 97]
          }
        }
      }
    }
    #expect(cache.statistics.cost <= 1_000)
    for key in 0..<97 { cache.remove(key) }
    #expect(cache.statistics.cost == 0)
  }
}

@Suite("Waiting with a timeout", .timeLimit(.minutes(10))) struct TimeoutTests {
  private struct Failure: Error {}

  @Test func `returns the result of the work`() async throws {
    #expect(try await withTimeout(.seconds(60)) { 7 } == 7)
  }

  @Test func `rethrows the error of the work`() async {
    await #expect(throws: Failure.self) { try await withTimeout(.seconds(60)) { throw Failure() } }
  }

  @Test func `lets work that takes too long finish in the background`() async throws {
    let isOpen = Mutex(false)
    let ended = Mutex(false)
    let result: Void? = try await withTimeout(.milliseconds(1)) {
      await eventually { isOpen.withLock { $0 } }
      ended.withLock { $0 = true }
    }
    #expect(result == nil)
    #expect(!ended.withLock { $0 })
    isOpen.withLock { $0 = true }
    await eventually { ended.withLock { $0 } }
  }
}

@Suite("Single flight", .timeLimit(.minutes(10))) struct SingleFlightTests {
  private struct Failure: Error {}

  /// Work that waits for `open()`, and returns how often it has started.
  private final class Door: Sendable {
    private let isOpen = Mutex(false)
    private let count = Mutex(0)

    func open() { isOpen.withLock { $0 = true } }

    func pass() async -> Int {
      let run = count.withLock { count in
        count += 1
        return count
      }
      await eventually { isOpen.withLock { $0 } }
      return run
    }
  }

  @Test func `runs once for all concurrent callers`() async throws {
    let work = SingleFlight<Int, Int>()
    let door = Door()
    let values = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<10 {
        group.addTask { try await work.value(for: 1) { await door.pass() } }
      }
      await eventually { await work.waiterCount(for: 1) == 10 }
      door.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values == Array(repeating: 1, count: 10))
  }

  @Test func `runs again for later callers, also after a failure`() async throws {
    let work = SingleFlight<Int, Int>()
    await #expect(throws: Failure.self) { try await work.value(for: 1) { throw Failure() } }
    #expect(try await work.value(for: 1) { 2 } == 2)
    #expect(try await work.value(for: 1) { 3 } == 3)
  }

  @Test func `is cancelled when the program ends`() async throws {
    let work = SingleFlight<Int, Int>()
    let began = Mutex(false)
    let waiting = Task {
      try await work.value(for: 1) {
        began.withLock { $0 = true }
        try await Task.sleep(for: .seconds(3_600))
        return 1
      }
    }
    await eventually { began.withLock { $0 } }
    await work.cancelAll()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}

@Suite("Steps in a serial queue", .timeLimit(.minutes(10))) struct SerialQueueTests {
  private struct Failure: Error {}

  /// Counts how many steps run at once.
  private final class Steps: Sendable {
    private let state = Mutex((now: 0, most: 0, ended: 0))
    var most: Int { state.withLock { $0.most } }
    var ended: Int { state.withLock { $0.ended } }

    func run() async {
      state.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      await Task.yield()
      state.withLock {
        $0.now -= 1
        $0.ended += 1
      }
    }
  }

  @Test func `never run concurrently, and a failed one does not stop the others`() async throws {
    let serial = SerialQueue()
    let steps = Steps()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<20 {
        group.addTask {
          try? await serial.run {
            await steps.run()
            if index % 3 == 0 { throw Failure() }
          }
        }
      }
    }
    #expect(steps.most == 1)
    #expect(steps.ended == 20)
  }
}
