// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxStore
import LongboxUpstream
import Synchronization

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

  /// Fetches something for a reader: once for all who wait for it at the same time.
  /// - Parameters:
  ///   - key: what is fetched.
  ///   - client: the address of the client that asks, see ``inTurn(of:_:_:)``; nil for no turns.
  ///   - now: the time.
  ///   - work: asks the source.
  /// - Throws: what `work` throws, as `CatalogError`; at once if it has just failed or the source is known to be down.
  func fetch(
    _ key: Key,
    for client: String? = nil,
    now: @escaping @Sendable () -> Date,
    _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await inTurn(of: client, key) {
      try await breaker.unlessDown(now: now()) {
        try await failures.unlessRecent(key, now: now) { try await underWay.value(for: key, work) }
      }
    }
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

/// Remembers recent failures.
///
/// A repeated request gets the same error, and the source is not asked.
///
/// Readers may reload the page of a missing comic as often as they like; xkcd must not be asked each time.
final class NegativeCache<Key: Hashable & Sendable>: Sendable {
  private struct Failure {
    var error: CatalogError
    var time: Date

    func isRecent(at now: Date) -> Bool { abs(now.timeIntervalSince(time)) < pause }
  }

  /// How long a failure is remembered, in seconds.
  static var pause: TimeInterval { 15 }
  /// Above this many entries, the expired ones are removed.
  private static var mostFailures: Int { 1_000 }

  private let failures = Mutex<[Key: Failure]>([:])

  /// Runs work, unless it failed recently.
  /// - Parameters:
  ///   - key: what is requested.
  ///   - now: the time.
  ///   - work: what to run.
  /// - Throws: the error of the work, new or remembered, as `CatalogError`.
  func unlessRecent(_ key: Key, now: @Sendable () -> Date, _ work: () async throws -> Void) async throws {
    let start = now()
    if let failure = failures.withLock({ $0[key] }), failure.isRecent(at: start) { throw failure.error }
    do {
      try await work()
    } catch {
      let error = CatalogError(error)
      // Neither says anything about the source: this node may just have lost the lead, and now asks the leader.
      guard error != .upstream(.cancelled), error != .store(.notLeader) else { throw error }
      let failure = Failure(error: error, time: now())
      failures.withLock { failures in
        if failures.count > Self.mostFailures { failures = failures.filter { $0.value.isRecent(at: start) } }
        failures[key] = failure
      }
      throw error
    }
  }
}

/// Keeps readers from waiting for a source that is down.
///
/// During an outage, readers get an error at once. Every 15 seconds one request still goes out in the
/// background, and the first answer ends the outage.
final class CircuitBreaker<Key: Hashable & Sendable>: Sendable {
  private struct State {
    /// What was requested without success since the last answer.
    var failed: Set<Key> = []
    var error: CatalogError?
    var lastTry = Date.distantPast
  }

  /// The pause between two requests during an outage, in seconds.
  static var pause: TimeInterval { 15 }
  /// How many requests must fail before the source counts as down; a single one may be its comic's fault.
  private static var fewestFailures: Int { 2 }

  private let state = Mutex(State())

  /// Ends the outage: the source has answered.
  func end() {
    state.withLock { $0 = State() }
  }

  /// Counts a failed request.
  /// - Parameters:
  ///   - error: the failure. An answer from the source ends the outage, unless it is a rate limit or a server
  ///     error.
  ///   - key: what was requested.
  ///   - now: the time.
  func note(_ error: UpstreamError, for key: Key, at now: Date) {
    switch error {
    case .busy, .cancelled: return
    case .notFound, .unexpectedStatus, .malformed, .rejected: return end()
    case .unreachable, .rateLimited, .timedOut, .serverError: break
    }
    state.withLock { state in
      if state.failed.count < Self.fewestFailures { state.failed.insert(key) }
      guard state.failed.count >= Self.fewestFailures else { return }
      state.error = .upstream(error)
      state.lastTry = now
    }
  }

  /// Runs a reader's request, unless the source is down.
  /// - Parameters:
  ///   - now: the time.
  ///   - work: asks the source.
  /// - Throws: the error of the work; during an outage, the last error at once.
  func unlessDown(now: Date, _ work: @escaping @Sendable () async throws -> Void) async throws {
    let (error, isDue) = state.withLock { state in
      let isDue = state.error != nil && abs(now.timeIntervalSince(state.lastTry)) >= Self.pause
      if isDue { state.lastTry = now }
      return (state.error, isDue)
    }
    guard let error else { return try await work() }
    if isDue { Task { try? await work() } }
    throw error
  }
}
