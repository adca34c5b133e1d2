// Longbox
// SPDX-License-Identifier: MIT

/// Where comics' pictures were found since the start.
public struct PictureCacheCounts: Hashable, Sendable {
  /// How many in memory.
  public var memory: Int
  /// How many on the disk.
  public var disk: Int
  /// How many had to be fetched.
  public var source: Int
  /// The bytes of the pictures in memory.
  public var memoryBytes: Int
}
