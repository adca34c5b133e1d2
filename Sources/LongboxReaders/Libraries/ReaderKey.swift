// Longbox
// SPDX-License-Identifier: MIT

public import LongboxStore

/// The key of a reader's library: 256 random bits, which say nothing about the reader.
///
/// Who has the key has the library. The server doesn't store it, only its hash.
public struct ReaderKey: Hashable, Sendable {
  /// The number of bytes.
  public static let length = 32

  /// The bytes.
  public let bytes: [UInt8]

  /// Draws a new key.
  public init() {
    var random = SystemRandomNumberGenerator()
    bytes = (0..<Self.length).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Makes a key of bytes, or nil where they are not 32.
  public init?(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    guard self.bytes.count == Self.length else { return nil }
  }

  /// The name under which the library is stored.
  public var libraryName: LibraryName { LibraryName(key: bytes) }
}
