// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// The size of all libraries, as this process knows it.
///
/// Adding up many rows is slow, so a sum is used for ten seconds. This process's own changes are added to it; what was
/// removed, and what other nodes have changed, is missing until the sum is read again. A change that is rolled back stays
/// counted until then.
final class LibraryTotal: Sendable {
  private struct Sum {
    var bytes: Int
    let readAt: ContinuousClock.Instant
  }

  /// How long a sum is used.
  private static let lifetime = Duration.seconds(10)
  private let sum = Mutex<Sum?>(nil)

  /// How much libraries may grow, in bytes; negative if they are larger than the limit.
  /// - Parameters:
  ///   - limit: the largest size of all libraries.
  ///   - read: reads the sum.
  func room(upTo limit: Int, reading read: () throws -> Int) rethrows -> Int {
    guard limit < .max else { return .max }
    let known = sum.withLock { sum in
      sum.flatMap { ContinuousClock.now - $0.readAt < Self.lifetime ? $0.bytes : nil }
    }
    if let known { return limit - known }
    let bytes = try read()
    sum.withLock { $0 = Sum(bytes: bytes, readAt: .now) }
    return limit - bytes
  }

  /// Adds what a library has grown by; negative if it has shrunk.
  func add(_ growth: Int) {
    sum.withLock { $0 = $0.map { Sum(bytes: $0.bytes.addingWithinRange(growth), readAt: $0.readAt) } }
  }
}
