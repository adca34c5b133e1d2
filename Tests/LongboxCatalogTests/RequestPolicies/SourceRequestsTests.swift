// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxStore
import LongboxUpstream
import Synchronization
import TestSupport
import Testing

@testable import LongboxCatalog

@Suite("When the clock is set back") struct ClockSetBackTests {
  private let ahead = SettableTime.start + 24 * 3600

  @Test func `a source that was down is asked again`() async throws {
    let breaker = CircuitBreaker<Int>()
    for key in 1...2 { breaker.note(.unreachable(.xkcd, reason: "no route"), for: key, at: ahead) }
    let asked = Mutex(0)
    func ask(_ now: Date) async {
      await #expect(throws: CatalogError.self) {
        try await breaker.unlessDown(now: now) { asked.withLock { $0 += 1 } }
      }
    }
    await ask(ahead)
    await ask(SettableTime.start)
    await eventually { asked.withLock { $0 } == 1 }
    await ask(SettableTime.start + 1)
    await ask(SettableTime.start + CircuitBreaker<Int>.pause)
    await eventually { asked.withLock { $0 } == 2 }
  }

  @Test func `a request that failed is made again`() async throws {
    struct Down: Error {}
    let failures = NegativeCache<Int>()
    await #expect(throws: CatalogError.self) {
      try await failures.unlessRecent(1, now: { ahead }) { throw Down() }
    }
    await #expect(throws: CatalogError.self) { try await failures.unlessRecent(1, now: { ahead + 1 }) {} }
    try await failures.unlessRecent(1, now: { SettableTime.start }) {}
  }

  @Test func `the next check for a comic comes in little more than an hour`() {
    let schedule = PollSchedule()
    for hour in 0..<200 {
      let date = SettableTime.start + Double(hour) * 3600
      #expect(schedule.next(after: date, jitter: 0.999) <= schedule.latest(after: date))
      #expect(schedule.latest(after: date) <= date + 4000)
    }
    #expect(PollSchedule(every: 5).latest(after: ahead) < ahead + 6)
  }
}

@Suite("Recent failures") struct NegativeCacheTests {
  private final class Asking: Sendable {
    let failures = NegativeCache<Int>()
    let time = SettableTime()
    let count = Mutex(0)

    func want(_ key: Int) async throws {
      try await failures.unlessRecent(key, now: { self.time.now }) {
        count.withLock { $0 += 1 }
        throw CatalogError.upstream(.serverError(.xkcd, status: 500, retryAfter: nil))
      }
    }
  }

  @Test func `are thrown again without a new request, for a while`() async {
    let asking = Asking()
    for _ in 0..<5 { await #expect(throws: CatalogError.self) { try await asking.want(1) } }
    #expect(asking.count.withLock { $0 } == 1)
    await #expect(throws: CatalogError.self) { try await asking.want(2) }
    #expect(asking.count.withLock { $0 } == 2)
    asking.time.advance(by: NegativeCache<Int>.pause)
    await #expect(throws: CatalogError.self) { try await asking.want(1) }
    #expect(asking.count.withLock { $0 } == 3)
  }

  @Test func `don't count if this node lost the lead in the meantime`() async throws {
    let asking = Asking()
    await #expect(throws: CatalogError.store(.notLeader)) {
      try await asking.failures.unlessRecent(1, now: { asking.time.now }) { throw StoreError.notLeader }
    }
    try await asking.failures.unlessRecent(1, now: { asking.time.now }) {}
  }
}
