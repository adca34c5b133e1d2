// Longbox
// SPDX-License-Identifier: MIT

/// A piece of UTF-8 text.
///
/// The core processes bytes, not `String`s: grapheme breaking and canonical equality are slow in hot paths,
/// and add a hundred kilobytes of tables in Embedded Swift.
///
/// It is a single reference. A view into an ``Archive``'s memory would save a copy, but takes four words
/// instead of one, which would add a tenth to the size of the WebAssembly.
///
/// Text from sources and forms is made valid UTF-8 when it arrives. The values of a library may have any bytes.
/// The renderer doesn't check them; exported files have their ``valid`` form.
public struct Text: Sendable {
  @usableFromInline let storage: [UInt8]

  /// Creates a text that shares the bytes.
  public init(_ bytes: [UInt8]) {
    storage = bytes
  }

  /// Creates a text that copies bytes.
  @inline(never)
  public init(_ bytes: ArraySlice<UInt8>) {
    storage = Array(bytes)
  }

  /// Creates a text that copies a sequence of bytes, such as `string.utf8`.
  public init(_ bytes: some Sequence<UInt8>) {
    storage = Array(bytes)
  }

  /// The empty text.
  public static var empty: Text { Text([]) }

  /// The UTF-8 bytes, without a terminator.
  @inlinable public var bytes: ArraySlice<UInt8> { storage[...] }

  /// Whether the text is empty.
  @inlinable public var isEmpty: Bool { storage.isEmpty }

  /// The number of bytes.
  @inlinable public var count: Int { storage.count }
}

extension Text {
  /// The text without marks of direction (U+202A to U+202E, U+2066 to U+2069), for places that can't isolate it.
  ///
  /// The title of 1137 starts with such a mark, which would turn round all that follows it.
  public var withoutDirectionMarks: Text {
    guard storage.contains(0xE2) else { return self }
    var kept: [UInt8] = []
    var rest = storage[...]
    while let byte = rest.first {
      let end = rest.prefix(3)
      let isMark =
        end.count == 3 && byte == 0xE2
        && (rest[rest.startIndex + 1] == 0x80 && (0xAA...0xAE).contains(rest[rest.startIndex + 2])
          || rest[rest.startIndex + 1] == 0x81 && (0xA6...0xA9).contains(rest[rest.startIndex + 2]))
      if !isMark { kept.append(byte) }
      rest = rest.dropFirst(isMark ? 3 : 1)
    }
    return Text(kept)
  }
}

extension Text: Equatable {
  /// Compares bytes, without canonical equivalence.
  @inline(never)
  public static func == (left: Text, right: Text) -> Bool {
    left.storage == right.storage
  }
}

extension Text: ExpressibleByStringLiteral {
  /// Creates a text from a literal in the source code.
  ///
  /// It isn't inlined: with a thousand literals the copying loops would take a fifth of the WebAssembly.
  @inline(never)
  public init(stringLiteral literal: StaticString) {
    self.init(literal.utf8Bytes)
  }
}

#if !hasFeature(Embedded)
extension Text: CustomStringConvertible {
  /// The text as a `String`; invalid UTF-8 becomes U+FFFD.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension Text {
  /// Creates a text from a string.
  public init(string: String) {
    self.init(string.utf8)
  }
}
#endif
