// Longbox
// SPDX-License-Identifier: MIT

/// What a backup contains.
public struct BackupSummary: Hashable, Sendable {
  /// How many files.
  public var files = 0
  /// The sum of their sizes.
  public var bytes = 0
}
