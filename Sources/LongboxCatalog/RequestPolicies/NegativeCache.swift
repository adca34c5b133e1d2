// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxUpstream
import Synchronization

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
      guard error != .upstream(.cancelled) else { throw error }
      let failure = Failure(error: error, time: now())
      failures.withLock { failures in
        if failures.count > Self.mostFailures { failures = failures.filter { $0.value.isRecent(at: start) } }
        failures[key] = failure
      }
      throw error
    }
  }
}
