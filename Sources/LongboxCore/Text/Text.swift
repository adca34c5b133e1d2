// Longbox
// SPDX-License-Identifier: MIT

/// A piece of UTF-8 text.
///
/// The core compares, searches and renders bytes, not `String`s: grapheme breaking and canonical equality cost
/// time in hot paths and, compiled by Embedded Swift, a hundred kilobytes of tables.
///
/// It is one reference and nothing else. A window onto memory that somebody else holds would spare a copy where a text
/// is read from an ``Archive``, but is four words instead of one, and texts are passed and kept everywhere: a tenth of
/// the WebAssembly would be moving those words about.
///
/// The bytes of a source are validated when they arrive (`String` does that natively); what an archive hands
/// out was validated when it was built, and the renderer replaces whatever is not UTF-8 all the same.
public struct Text: Sendable {
  @usableFromInline let storage: [UInt8]

  /// Makes a text of bytes, which are shared.
  public init(_ bytes: [UInt8]) {
    storage = bytes
  }

  /// Makes a text by copying bytes.
  @inline(never)
  public init(_ bytes: ArraySlice<UInt8>) {
    storage = Array(bytes)
  }

  /// Makes a text by copying the bytes of a sequence, such as `string.utf8`.
  public init(_ bytes: some Sequence<UInt8>) {
    storage = Array(bytes)
  }

  /// The text without any bytes.
  public static var empty: Text { Text([]) }

  /// The UTF-8 bytes, without a terminator.
  @inlinable public var bytes: ArraySlice<UInt8> { storage[...] }

  /// Whether there are no bytes.
  @inlinable public var isEmpty: Bool { storage.isEmpty }

  /// The number of bytes.
  @inlinable public var count: Int { storage.count }
}

extension Text: Equatable {
  /// Compares byte by byte: no canonical equivalence.
  @inline(never)
  public static func == (left: Text, right: Text) -> Bool {
    left.storage == right.storage
  }
}

extension Text: ExpressibleByStringLiteral {
  /// Makes a text of a literal in our own source.
  ///
  /// Never inlined: there are a thousand literals, and a copying loop for each is a fifth of the WebAssembly.
  @inline(never)
  public init(stringLiteral literal: StaticString) {
    self.init(literal.utf8Bytes)
  }
}

#if !hasFeature(Embedded)
extension Text: CustomStringConvertible {
  /// The text as a `String`; bytes that are not UTF-8 become U+FFFD.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension Text {
  /// Makes a text of a string.
  public init(string: String) {
    self.init(string.utf8)
  }
}
#endif
