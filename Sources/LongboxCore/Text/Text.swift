// Longbox
// SPDX-License-Identifier: MIT

/// A piece of UTF-8 text: a window onto bytes that somebody else holds.
///
/// The core compares, searches and renders bytes, not `String`s: grapheme breaking and canonical equality cost
/// time in hot paths and, compiled by Embedded Swift, a hundred kilobytes of tables. A `Text` that is read from
/// an ``Archive`` shares the archive's memory, so reading one allocates nothing.
///
/// The bytes of a source are validated when they arrive (`String` does that natively); what an archive hands
/// out was validated when it was built, and the renderer replaces whatever is not UTF-8 all the same.
public struct Text: Sendable {
  /// The UTF-8 bytes, without a terminator.
  public let bytes: ArraySlice<UInt8>

  /// Makes a text of bytes that are shared, not copied.
  public init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// Makes a text by copying the bytes of a sequence, such as `string.utf8`.
  public init(_ bytes: some Sequence<UInt8>) {
    self.bytes = ArraySlice(bytes)
  }

  /// The text without any bytes.
  public static var empty: Text { Text(ArraySlice()) }

  /// Whether there are no bytes.
  public var isEmpty: Bool { bytes.isEmpty }

  /// The number of bytes.
  public var count: Int { bytes.count }
}

extension Text: Equatable {
  /// Compares byte by byte: no canonical equivalence.
  public static func == (left: Text, right: Text) -> Bool {
    guard left.bytes.count == right.bytes.count else { return false }
    return left.bytes.elementsEqual(right.bytes)
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
