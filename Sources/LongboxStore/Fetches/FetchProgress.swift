// Longbox
// SPDX-License-Identifier: MIT

/// Counts of comics by the state of one part.
public struct FetchProgress: Hashable, Sendable {
  /// Stored.
  public var fetched: Int
  /// Known not to exist.
  public var absent: Int
  /// Failed.
  public var failed: Int
  /// Never tried.
  public var never: Int

  /// Makes counts.
  public init(fetched: Int = 0, absent: Int = 0, failed: Int = 0, never: Int = 0) {
    self.fetched = fetched
    self.absent = absent
    self.failed = failed
    self.never = never
  }

  /// All comics that the counts cover.
  public var total: Int { fetched + absent + failed + never }
}
