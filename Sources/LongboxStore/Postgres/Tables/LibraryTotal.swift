// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// The size of all libraries, as a node knows it.
///
/// Adding up all rows takes long when there are many, so the sum is read now and then. What this node has added since counts, and
/// what other nodes have added is missing for a moment.
final class LibraryTotal: Sendable {
  private struct Sum {
    var bytes: Int
    let readAt: ContinuousClock.Instant
  }

  /// How long a sum is used.
  private static let lifetime = Duration.seconds(10)
  private let sum = Mutex<Sum?>(nil)

  /// Checks that there is room for what a library grows by.
  /// - Parameters:
  ///   - growth: that many bytes more.
  ///   - limit: the largest size of all libraries.
  ///   - read: reads the sum, which already contains the growth.
  /// - Throws: `StoreError.quota`.
  func grow(by growth: Int, upTo limit: Int, reading read: () throws -> Int) throws {
    let known = sum.withLock { sum -> Int? in
      guard let known = sum, ContinuousClock.now - known.readAt < Self.lifetime else { return nil }
      return known.bytes + growth
    }
    let bytes = try known ?? read()
    guard bytes <= limit else { throw StoreError.quota(.allLibraries) }
    sum.withLock { sum in
      if known == nil {
        sum = Sum(bytes: bytes, readAt: .now)
      } else {
        sum?.bytes += growth
      }
    }
  }
}
