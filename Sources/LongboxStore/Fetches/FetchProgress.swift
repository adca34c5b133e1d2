// Longbox
// SPDX-License-Identifier: MIT

/// How many comics are how far with one thing.
public struct FetchProgress: Hashable, Sendable {
  /// Stored.
  public var fetched = 0
  /// Known not to exist.
  public var absent = 0
  /// Tried in vain.
  public var failed = 0
  /// Not tried yet.
  public var never = 0

  /// All comics that the count is about.
  public var total: Int { fetched + absent + failed + never }
  /// Those that need no further try.
  public var done: Int { fetched + absent }
}
