// Longbox
// SPDX-License-Identifier: MIT

/// Counts of saved records.
public struct SaveCounts: Hashable, Sendable {
  /// Comics that were not stored before.
  public var inserted: Int
  /// Comics whose stored record was different.
  public var changed: Int
  /// Comics whose record was stored already, byte for byte.
  public var unchanged: Int

  /// Makes counts.
  public init(inserted: Int = 0, changed: Int = 0, unchanged: Int = 0) {
    self.inserted = inserted
    self.changed = changed
    self.unchanged = unchanged
  }
}
