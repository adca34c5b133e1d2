// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxUpstream

/// The requests to one source: equal ones are joined, recent failures and outages are answered at once, and clients take
/// turns.
struct SourceRequests<Key: Hashable & Sendable>: Sendable {
  /// What a client asks for.
  struct Asked: Hashable, Sendable {
    let client: String
    let key: Key
  }

  /// The maximum number of a client's requests that wait for their turn.
  private static var mostWaiting: Int { 64 }

  let underWay = SingleFlight<Key, Void>()
  let failures = NegativeCache<Key>()
  let breaker = CircuitBreaker<Key>()
  let asked = SingleFlight<Asked, Void>()
  private let turns: ClientTurns<String>

  /// Creates the state for a source.
  /// - Parameters:
  ///   - source: the source.
  ///   - most: the maximum number of requests of a client that are on their way at a time.
  init(to source: Source, perClient most: Int = 2) {
    turns = ClientTurns(at: source, most: most, mostWaiting: Self.mostWaiting)
  }

  /// Runs a reader's request, unless it has just failed or the source is known to be down.
  func forReader(
    _ key: Key,
    now: @Sendable () -> Date,
    _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await failures.unlessRecent(key, now: now) { try await breaker.unlessDown(now: now(), work) }
  }

  /// Runs a request when it is its turn among those of its client, also if its callers no longer wait.
  ///
  /// No client has to wait for what others have asked for: equal requests are joined only where they come from one client.
  /// - Parameters:
  ///   - client: the address of the client that asks; nil for no turns.
  ///   - key: what is requested.
  ///   - work: the request.
  /// - Throws: `UpstreamError.busy` if too many requests of the client wait; what `work` throws.
  func inTurn(
    of client: String?,
    _ key: Key,
    _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    guard let client else { return try await work() }
    try await asked.value(for: Asked(client: client, key: key)) { [turns] in
      try await turns.run(for: client, work)
    }
  }

  /// The number of a client's requests that wait for their turn.
  func waitingCount(of client: String?) async -> Int {
    guard let client else { return 0 }
    return await turns.waitingCount(of: client)
  }

  /// Cancels all requests, at shutdown.
  func cancelAll() async {
    await asked.cancelAll()
    await underWay.cancelAll()
  }
}
