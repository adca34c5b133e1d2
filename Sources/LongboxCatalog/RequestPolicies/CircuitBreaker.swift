// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxUpstream
import Synchronization

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
