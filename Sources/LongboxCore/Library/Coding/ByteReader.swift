// Longbox
// SPDX-License-Identifier: MIT

/// Reads numbers and slices from untrusted bytes, with bounds checks.
struct ByteReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() throws(LibraryError) -> UInt8 {
    guard let byte = rest.popFirst() else { throw .malformed }
    return byte
  }

  mutating func word64() throws(LibraryError) -> UInt64 {
    guard rest.count >= 8 else { throw .malformed }
    var value: UInt64 = 0
    for (index, byte) in rest.prefix(8).enumerated() { value |= UInt64(byte) << UInt64(8 * index) }
    rest.removeFirst(8)
    return value
  }

  /// Reads a LEB128 number in its shortest form; rejects longer encodings, so that each number has one form.
  mutating func varint() throws(LibraryError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      let bits = UInt64(byte & 0x7F)
      guard shift < 63 || bits <= 1 else { throw .malformed }
      value |= bits << shift
      guard byte & 0x80 != 0 else {
        guard byte != 0 || shift == 0 else { throw .malformed }
        return value
      }
      shift += 7
      guard shift <= 63 else { throw .malformed }
    }
  }

  mutating func count(atMost bound: Int) throws(LibraryError) -> Int {
    guard let value = Int(exactly: try varint()), value <= bound else { throw .malformed }
    return value
  }

  /// Reads the next bytes without copying.
  mutating func slice(_ count: Int) throws(LibraryError) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw .malformed }
    let slice = rest.prefix(count)
    rest.removeFirst(count)
    return slice
  }

  mutating func flag() throws(LibraryError) -> Bool {
    let byte = try byte()
    guard byte <= 1 else { throw .malformed }
    return byte == 1
  }

  mutating func time() throws(LibraryError) -> UInt64 {
    let time = try varint()
    guard time <= Timestamp.greatestTime else { throw .malformed }
    return time
  }
}

extension [UInt8] {
  /// Appends a number in LEB128.
  mutating func appendVarint(_ value: some FixedWidthInteger & UnsignedInteger) {
    var rest = UInt64(value)
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func appendCount(_ count: Int) {
    appendVarint(UInt64(count))
  }

  mutating func appendFlag(_ flag: Bool) {
    append(flag ? 1 : 0)
  }
}
