// Longbox
// SPDX-License-Identifier: MIT

/// Bounds-checked reads of little-endian numbers.
extension RawSpan {
  func byte(at offset: Int) -> UInt8 {
    unsafeLoad(fromUncheckedByteOffset: checked(offset, 1), as: UInt8.self)
  }

  func word16(at offset: Int) -> UInt16 {
    UInt16(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: checked(offset, 2), as: UInt16.self))
  }

  func word32(at offset: Int) -> UInt32 {
    UInt32(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: checked(offset, 4), as: UInt32.self))
  }

  func word64(at offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: checked(offset, 8), as: UInt64.self))
  }

  /// A 32-bit number as an `Int`, or nil if it doesn't fit (an `Int` has 32 bits in WebAssembly).
  func count32(at offset: Int) -> Int? {
    Int(exactly: word32(at: offset))
  }

  private func checked(_ offset: Int, _ size: Int) -> Int {
    precondition(offset >= 0 && offset <= byteCount - size, "read beyond the end of the bytes")
    return offset
  }
}

/// Writes of little-endian numbers, appended or in place.
extension [UInt8] {
  mutating func append16(_ value: UInt16) {
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value >> 8))
  }

  mutating func append32(_ value: UInt32) {
    append16(UInt16(truncatingIfNeeded: value))
    append16(UInt16(truncatingIfNeeded: value >> 16))
  }

  mutating func append64(_ value: UInt64) {
    append32(UInt32(truncatingIfNeeded: value))
    append32(UInt32(truncatingIfNeeded: value >> 32))
  }

  mutating func overwrite64(_ value: UInt64, at offset: Int) {
    for index in 0..<8 {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
    }
  }
}
