// Longbox
// SPDX-License-Identifier: MIT

/// Classes of single ASCII bytes; bytes of longer UTF-8 sequences belong to none.
extension UInt8 {
  /// The lower-case letter for an upper-case one; other bytes are unchanged.
  @inlinable package var lowercasedASCII: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

  /// Whether this is an ASCII letter of either case.
  @inlinable package var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }

  @inlinable package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }

  /// Whether this is a space, a tab or a line break.
  @inlinable package var isASCIISpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension ArraySlice<UInt8> {
  /// The slice without white space at either end.
  package func trimmed() -> ArraySlice<UInt8> {
    var slice = self
    while let first = slice.first, first.isASCIISpace { slice.removeFirst() }
    while let last = slice.last, last.isASCIISpace { slice.removeLast() }
    return slice
  }

  /// The offset of the first occurrence of a pattern at or after a start.
  package func firstIndex(of pattern: [UInt8], from start: Int) -> Int? {
    guard let first = pattern.first, pattern.count <= count else { return nil }
    var index = Swift.max(start, startIndex)
    while index <= endIndex - pattern.count {
      if self[index] == first, self[index..<(index + pattern.count)].elementsEqual(pattern) { return index }
      index += 1
    }
    return nil
  }
}

extension [UInt8] {
  /// Appends the UTF-8 bytes of a literal.
  @inline(never)
  package mutating func append(_ literal: StaticString) {
    guard literal.hasPointerRepresentation else { return }
    append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }
}

extension StaticString {
  /// The UTF-8 bytes of the literal.
  package var utf8Bytes: [UInt8] {
    guard hasPointerRepresentation else { return [] }
    return Array(UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount))
  }

  /// Whether these are the bytes of the literal; doesn't allocate.
  package func isEqual(to bytes: some Sequence<UInt8>) -> Bool {
    guard hasPointerRepresentation else { return false }
    return UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount).elementsEqual(bytes)
  }
}

extension UInt8 {
  /// The ASCII digit of a number below 16.
  public init(hexadecimalDigit number: UInt8, isUppercase: Bool = false) {
    let letterA = isUppercase ? UInt8(ascii: "A") : UInt8(ascii: "a")
    self = number < 10 ? UInt8(ascii: "0") + number : letterA + number - 10
  }
}

extension [UInt8] {
  /// Appends a byte as `%` and two hexadecimal digits (RFC 3986, section 2.1).
  public mutating func appendPercentEncoded(_ byte: UInt8) {
    append(UInt8(ascii: "%"))
    append(UInt8(hexadecimalDigit: byte >> 4, isUppercase: true))
    append(UInt8(hexadecimalDigit: byte & 15, isUppercase: true))
  }
}
