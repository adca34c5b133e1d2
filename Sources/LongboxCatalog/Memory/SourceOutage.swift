// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxUpstream
import Synchronization

/// Whether the source is down, so that no reader waits for what can't come.
///
/// While it is, a reader is told at once; now and then one question is passed on all the same, for which nobody waits, and
/// the first answer to anything ends the outage.
final class SourceOutage<Key: Hashable & Sendable>: Sendable {
  private struct State {
    /// What was asked for in vain since the last answer.
    var failed: Set<Key> = []
    var error: CatalogError?
    var nextTry = Date.distantPast
  }

  /// Between two questions during an outage, in seconds.
  static var pause: TimeInterval { 15 }
  /// A connection that breaks may be one comic's own: only with so many different ones the source is taken to be down.
  private static var fewestFailures: Int { 2 }

  private let state = Mutex(State())

  /// The source answered, whatever it said.
  func end() {
    state.withLock { $0 = State() }
  }

  /// Asking for something failed.
  /// - Parameters:
  ///   - error: how. What the source itself says does not count, but that it should be left alone.
  ///   - key: what was asked for.
  ///   - now: the time.
  func note(_ error: UpstreamError, for key: Key, at now: Date) {
    switch error {
    case .cancelled: return
    case .notFound, .unexpectedStatus, .malformed, .refused: return end()
    case .unreachable, .rateLimited, .timedOut, .serverError: break
    }
    state.withLock { state in
      if state.failed.count < Self.fewestFailures { state.failed.insert(key) }
      guard state.failed.count >= Self.fewestFailures else { return }
      state.error = .upstream(error)
      state.nextTry = now.addingTimeInterval(Self.pause)
    }
  }

  /// Does what a reader waits for, unless the source is down.
  /// - Parameters:
  ///   - now: the time.
  ///   - work: asks the source.
  /// - Throws: what the work throws; during an outage at once what its last question came to.
  func unlessDown(now: Date, _ work: @escaping @Sendable () async throws -> Void) async throws {
    let (error, isDue) = state.withLock { state in
      let isDue = state.error != nil && state.nextTry <= now
      if isDue { state.nextTry = now.addingTimeInterval(Self.pause) }
      return (state.error, isDue)
    }
    guard let error else { return try await work() }
    if isDue { Task { try? await work() } }
    throw error
  }
}
