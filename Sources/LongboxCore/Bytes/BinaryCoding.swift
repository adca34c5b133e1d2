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

  /// A varint of at most four bytes; nil if it is cut off or longer.
  @inline(__always)
  func varint(at offset: inout Int, end: Int) -> Int? {
    guard offset < end else { return nil }
    let first = byte(at: offset)
    offset += 1
    guard first >= 0x80 else { return Int(first) }
    var value = Int(first & 0x7F)
    var shift = 7
    while shift < 28 {
      guard offset < end else { return nil }
      let next = byte(at: offset)
      offset += 1
      value |= Int(next & 0x7F) << shift
      if next < 0x80 { return value }
      shift += 7
    }
    return nil
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

/// The 64-bit xxHash: a fast checksum that detects damage but not forgery.
///
/// It follows the [xxHash specification](https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md),
/// section "XXH64 algorithm description". Tests compare it with the published values.
package enum XXH64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  package static func hash(_ bytes: RawSpan, seed: UInt64 = 0) -> UInt64 {
    var offset = 0
    var sum: UInt64
    if bytes.byteCount >= 32 {
      var lane1 = seed &+ prime1 &+ prime2
      var lane2 = seed &+ prime2
      var lane3 = seed
      var lane4 = seed &- prime1
      while offset <= bytes.byteCount - 32 {
        lane1 = round(lane1, bytes.word64(at: offset))
        lane2 = round(lane2, bytes.word64(at: offset + 8))
        lane3 = round(lane3, bytes.word64(at: offset + 16))
        lane4 = round(lane4, bytes.word64(at: offset + 24))
        offset += 32
      }
      sum = rotate(lane1, 1) &+ rotate(lane2, 7) &+ rotate(lane3, 12) &+ rotate(lane4, 18)
      for lane in [lane1, lane2, lane3, lane4] {
        sum = (sum ^ round(0, lane)) &* prime1 &+ prime4
      }
    } else {
      sum = seed &+ prime5
    }
    sum &+= UInt64(truncatingIfNeeded: bytes.byteCount)
    return finish(sum, bytes, from: offset)
  }

  private static func finish(_ seed: UInt64, _ bytes: RawSpan, from start: Int) -> UInt64 {
    var sum = seed
    var offset = start
    while offset <= bytes.byteCount - 8 {
      sum = rotate(sum ^ round(0, bytes.word64(at: offset)), 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset <= bytes.byteCount - 4 {
      sum = rotate(sum ^ (UInt64(bytes.word32(at: offset)) &* prime1), 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < bytes.byteCount {
      sum = rotate(sum ^ (UInt64(bytes.byte(at: offset)) &* prime5), 11) &* prime1
      offset += 1
    }
    sum = (sum ^ (sum >> 33)) &* prime2
    sum = (sum ^ (sum >> 29)) &* prime3
    return sum ^ (sum >> 32)
  }

  private static func round(_ sum: UInt64, _ input: UInt64) -> UInt64 {
    rotate(sum &+ input &* prime2, 31) &* prime1
  }

  private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    (value &<< bits) | (value &>> (64 - bits))
  }
}
