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

  public static var empty: Text { Text([]) }

  /// The UTF-8 bytes, without a terminator.
  @inlinable public var bytes: ArraySlice<UInt8> { storage[...] }

  @inlinable public var isEmpty: Bool { storage.isEmpty }

  /// The number of bytes.
  @inlinable public var count: Int { storage.count }

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

  /// The text if it is valid UTF-8; otherwise a copy with U+FFFD in place of every byte that isn't ASCII, also those of
  /// valid letters.
  package var valid: Text {
    guard !bytes.isUTF8 else { return self }
    var valid: [UInt8] = []
    for byte in bytes {
      if byte < 0x80 { valid.append(byte) } else { valid += UTF8.encodedReplacementCharacter }
    }
    return Text(valid)
  }

  /// The text up to a number of characters, with an ellipsis if it is longer; doesn't cut a character.
  func shortened(to limit: Int) -> Text {
    var characters = 0
    for (length, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 {
      characters += 1
      if characters > limit { return Text(bytes.prefix(length)) + "…" }
    }
    return self
  }

  /// For each letter from U+00C0 to U+017F its lower-case base letter; a dot for other characters.
  private static var plainLatin: StaticString {
    """
    aaaaaaaceeeeiiiidnooooo.ouuuuytsaaaaaaaceeeeiiiidnooooo.ouuuuyty\
    aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrr\
    sssssssstttttt\
    uuuuuuuuuuuuwwyyyzzzzzzs
    """
  }

  /// The text in lower case and without Latin accents, for comparing names.
  ///
  /// Search's `Folding` covers all scripts, but is too large for the device's pages.
  package var plainLetters: [UInt8] {
    let table = Self.plainLatin.utf8Bytes
    var plain: [UInt8] = []
    var lead: UInt8 = 0
    for byte in bytes {
      if (0xC3...0xC5).contains(lead), (0x80...0xBF).contains(byte) {
        let letter = table[Int(lead - 0xC3) * 64 + Int(byte - 0x80)]
        plain.removeLast()
        if letter == UInt8(ascii: ".") {
          plain.append(lead)
          plain.append(byte)
        } else {
          plain.append(letter)
        }
      } else {
        plain.append(byte.lowercasedASCII)
      }
      lead = byte
    }
    return plain
  }

  /// Whether the text comes before another in byte order.
  func precedes(_ other: Text) -> Bool {
    var index = bytes.startIndex
    var otherIndex = other.bytes.startIndex
    while index < bytes.endIndex, otherIndex < other.bytes.endIndex {
      if bytes[index] != other.bytes[otherIndex] { return bytes[index] < other.bytes[otherIndex] }
      index += 1
      otherIndex += 1
    }
    return otherIndex < other.bytes.endIndex
  }

  func starts(with prefix: Text) -> Bool {
    count >= prefix.count && bytes.prefix(prefix.count).elementsEqual(prefix.bytes)
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

extension ArraySlice<UInt8> {
  /// Whether the bytes are valid UTF-8 (Unicode, table 3-7): no overlong forms, no surrogates.
  package var isUTF8: Bool {
    var index = startIndex
    while index < endIndex {
      let first = self[index]
      index += 1
      if first < 0x80 { continue }
      let rest: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch first {
      case 0xC2...0xDF: rest = 1
      case 0xE0: (rest, second) = (2, 0xA0...0xBF)
      case 0xED: (rest, second) = (2, 0x80...0x9F)
      case 0xE1...0xEF: rest = 2
      case 0xF0: (rest, second) = (3, 0x90...0xBF)
      case 0xF4: (rest, second) = (3, 0x80...0x8F)
      case 0xF1...0xF3: rest = 3
      default: return false
      }
      guard rest <= endIndex - index, second.contains(self[index]) else { return false }
      for other in self[(index + 1)..<(index + rest)] where !(0x80...0xBF).contains(other) { return false }
      index += rest
    }
    return true
  }
}

/// Formats and parses numbers without `String`.
extension Text {
  /// Formats a number in decimal digits.
  public init(decimal number: Int) {
    var digits: [UInt8] = []
    var rest = number.magnitude
    repeat {
      digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    if number < 0 { digits.append(UInt8(ascii: "-")) }
    self.init(digits.reversed())
  }

  /// Formats a number with commas between thousands, as in "3,281".
  public init(grouped number: Int) {
    var digits: [UInt8] = []
    for (index, digit) in Text(decimal: number).bytes.reversed().enumerated() {
      if index > 0, index % 3 == 0, digit != UInt8(ascii: "-") { digits.append(UInt8(ascii: ",")) }
      digits.append(digit)
    }
    self.init(digits.reversed())
  }

  /// Formats a number with at least the given number of digits.
  public init(_ number: Int, digits: Int) {
    let plain = Text(decimal: number)
    self.init(repeatElement(UInt8(ascii: "0"), count: max(0, digits - plain.count)) + plain.bytes)
  }

  /// Formats a duration as `3:41` or `1:03:41`, without fractions of a second.
  public init(duration milliseconds: UInt64) {
    let seconds = Int(truncatingIfNeeded: min(milliseconds / 1000, 359_999))
    let minutes = Text(seconds / 60 % 60, digits: seconds >= 3600 ? 2 : 1)
    let rest = minutes + ":" + Text(seconds % 60, digits: 2)
    self = seconds >= 3600 ? Text(decimal: seconds / 3600) + ":" + rest : rest
  }

  /// The number, if the text is one to nine decimal digits.
  public var number: Int? {
    guard !isEmpty, count <= 9, bytes.allSatisfy({ $0.isASCIIDigit }) else { return nil }
    var value = 0
    for digit in bytes { value = value * 10 + Int(digit - UInt8(ascii: "0")) }
    return value
  }

  @inline(never)
  public static func + (left: Text, right: Text) -> Text {
    guard !left.isEmpty else { return right }
    guard !right.isEmpty else { return left }
    return Text(left.storage + right.storage)
  }
}
