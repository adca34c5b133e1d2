// Longbox
// SPDX-License-Identifier: MIT

import Crypto

/// The name of a reader's library in the database: the SHA-256 of the key in the reader's cookie.
///
/// The key itself is not stored, so a copy of the database opens no library.
public struct LibraryName: Hashable, Sendable {
  let bytes: [UInt8]

  /// The name of the library with a key.
  /// - Parameter key: the decoded cookie: 256 random bits.
  public init(key: [UInt8]) {
    bytes = Array(SHA256.hash(data: key))
  }

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}

extension LibraryName: Comparable {
  /// Orders by bytes, so that two libraries are always locked in the same order.
  public static func < (left: LibraryName, right: LibraryName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
