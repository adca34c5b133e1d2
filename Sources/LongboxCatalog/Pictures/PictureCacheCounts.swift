// Longbox
// SPDX-License-Identifier: MIT

/// Where comics' pictures were found since the start.
public struct PictureCacheCounts: Hashable, Sendable {
  /// How often in memory.
  public var memory: Int
  /// How often on the disk.
  public var disk: Int
  /// How often they had to be fetched.
  public var source: Int
  /// The bytes of the pictures in memory.
  public var memoryBytes: Int
}
