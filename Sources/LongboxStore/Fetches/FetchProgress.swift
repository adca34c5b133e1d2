// Longbox
// SPDX-License-Identifier: MIT

/// How many comics are how far with one thing.
public struct FetchProgress: Hashable, Sendable {
  /// Stored.
  public var fetched: Int
  /// Known not to exist.
  public var absent: Int
  /// Tried in vain.
  public var failed: Int
  /// Not tried yet.
  public var never: Int

  /// Makes a count, all zero unless told.
  public init(fetched: Int = 0, absent: Int = 0, failed: Int = 0, never: Int = 0) {
    self.fetched = fetched
    self.absent = absent
    self.failed = failed
    self.never = never
  }

  /// All comics that the count is about.
  public var total: Int { fetched + absent + failed + never }
  /// Those that need no further try.
  public var done: Int { fetched + absent }
}
