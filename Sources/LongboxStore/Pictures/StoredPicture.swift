// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.URL

/// A picture that lies on the disk.
///
/// The file never changes: another picture has another name. So the name can be its entity tag, and the answer that
/// carries it can be kept forever.
public struct StoredPicture: Hashable, Sendable {
  /// The name by content, such as `ab/cdef….png`: SHA-256 of the bytes in hexadecimal, and the format's ending.
  public let name: String
  /// Where the file lies.
  public let file: URL
  /// The size in bytes.
  public let byteCount: Int
}
