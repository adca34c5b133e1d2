// Longbox
// SPDX-License-Identifier: MIT

import LongboxPush
public import LongboxStore

/// The key of a reader's library: 256 random bits, unrelated to the reader.
///
/// Anyone with the key can read and change the library. The server stores only its hash.
public struct ReaderKey: Hashable, Sendable {
  /// The length in bytes.
  public static let length = 32

  public let bytes: [UInt8]

  /// Makes a random key.
  public init() {
    var random = SystemRandomNumberGenerator()
    bytes = (0..<Self.length).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Makes a key from bytes; nil if there aren't exactly 32.
  public init?(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    guard self.bytes.count == Self.length else { return nil }
  }

  /// Parses the result of ``text``; nil if the text is anything else.
  public init?(text: String) {
    guard text.utf8.count == 43, let bytes = Base64URL.decode(text) else { return nil }
    self.init(bytes)
  }

  /// The key as base64url, as in the library's cookie.
  public var text: String { Base64URL.encode(bytes) }

  /// The name under which the library is stored.
  public var libraryName: LibraryName { LibraryName(key: bytes) }
}
