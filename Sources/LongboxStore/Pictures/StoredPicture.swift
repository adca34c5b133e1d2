// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.URL

/// A picture's file on the disk.
///
/// It never changes, because another picture has another name. So its name can be the entity tag, and
/// responses can be cached forever.
public struct StoredPicture: Hashable, Sendable {
  /// The name by content, such as `ab/cdef….png`: SHA-256 of the bytes in hexadecimal, and an extension.
  public let name: String
  /// The file's location.
  public let file: URL
  /// The size in bytes.
  public let byteCount: Int
}
