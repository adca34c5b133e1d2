// Longbox
// SPDX-License-Identifier: MIT

/// Limits on what the store keeps about albums.
///
/// When a limit is reached, the oldest rows are removed, and fetched again on demand.
///
/// They keep visitors from filling a public server's disk. For the limits on replies, see
/// ``StoredReply/Kind``.
public struct AlbumLimits: Sendable {
  /// Covers; a large one has about 60 KB, a small one 10.
  public var covers = 10_000
  /// Addresses of covers: as many as the albums of all replies.
  public var addresses = 400_000
  /// Wikipedia's replies, most often 30 KB.
  public var articles = 5_000

  /// Makes the default limits.
  public init() {}
}
