// Longbox
// SPDX-License-Identifier: MIT

import Crypto

/// The name under which a reader's library is stored: the SHA-256 of the key that the reader's cookie holds.
///
/// The key itself is not kept, so that a copy of the database opens nobody's library.
public struct LibraryName: Hashable, Sendable {
  /// 32 bytes.
  let bytes: [UInt8]

  /// Names the library of a key.
  /// - Parameter key: what the cookie holds, decoded: 256 random bits.
  public init(key: [UInt8]) {
    bytes = Array(SHA256.hash(data: key))
  }

  /// A name as the database keeps it.
  init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}

extension LibraryName: Comparable {
  /// Orders by the bytes, so that who needs two libraries at once can take them in one order.
  public static func < (left: LibraryName, right: LibraryName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
