// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxUpstream

/// The requests to one source: equal ones are joined, and recent failures and outages are answered at once.
struct SourceRequests<Key: Hashable & Sendable>: Sendable {
  let underWay = SingleFlight<Key, Void>()
  let failures = NegativeCache<Key>()
  let breaker = CircuitBreaker<Key>()

  /// Runs a reader's request, unless it has just failed or the source is known to be down.
  func forReader(
    _ key: Key,
    now: @Sendable () -> Date,
    _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await failures.unlessRecent(key, now: now) { try await breaker.unlessDown(now: now(), work) }
  }
}
