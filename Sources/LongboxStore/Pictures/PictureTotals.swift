// Longbox
// SPDX-License-Identifier: MIT

/// How much the pictures take on the disk.
public struct PictureTotals: Hashable, Sendable {
  /// Files; two comics may share one.
  public var files: Int
  /// Bytes of those files.
  public var bytes: Int

  /// Makes totals.
  public init(files: Int = 0, bytes: Int = 0) {
    self.files = files
    self.bytes = bytes
  }
}
