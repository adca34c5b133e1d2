// Longbox
// SPDX-License-Identifier: MIT

/// The pictures' use of the disk.
public struct PictureTotals: Hashable, Sendable {
  /// The number of files; two comics may share one.
  public var files: Int
  /// Their bytes.
  public var bytes: Int

  /// Makes totals.
  public init(files: Int = 0, bytes: Int = 0) {
    self.files = files
    self.bytes = bytes
  }
}
