// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxUpstream
import Synchronization

/// What could not be had a moment ago: who asks again at once gets the same error, and the source is left alone.
///
/// A page of a comic that xkcd does not give is asked for as often as readers like; xkcd must not be.
final class RecentFailures<Key: Hashable & Sendable>: Sendable {
  private struct Failure {
    var error: CatalogError
    var end: Date
  }

  /// How long a failure is told again, in seconds.
  static var pause: TimeInterval { 15 }
  /// Above this many, those that are over are forgotten.
  private static var mostFailures: Int { 1_000 }

  private let failures = Mutex<[Key: Failure]>([:])

  /// Does work, unless it failed a moment ago.
  /// - Parameters:
  ///   - key: what is wanted.
  ///   - now: the time.
  ///   - work: how it is had.
  /// - Throws: what the work throws or threw, as `CatalogError`.
  func unlessRecent(_ key: Key, now: @Sendable () -> Date, _ work: () async throws -> Void) async throws {
    let start = now()
    if let failure = failures.withLock({ $0[key] }), start < failure.end { throw failure.error }
    do {
      try await work()
    } catch {
      let error = CatalogError(error)
      guard error != .upstream(.cancelled) else { throw error }
      let failure = Failure(error: error, end: now().addingTimeInterval(Self.pause))
      failures.withLock { failures in
        if failures.count > Self.mostFailures { failures = failures.filter { start < $0.value.end } }
        failures[key] = failure
      }
      throw error
    }
  }
}
