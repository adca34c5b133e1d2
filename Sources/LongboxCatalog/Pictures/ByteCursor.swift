// Longbox
// SPDX-License-Identifier: MIT

/// A position in a file that moves forward and never past the end.
struct ByteCursor {
  /// The file ends before the position.
  struct End: Error {}

  private let bytes: [UInt8]
  private var position: Int

  init(_ bytes: [UInt8], at position: Int) {
    self.bytes = bytes
    self.position = position
  }

  mutating func byte() throws(End) -> UInt8 {
    guard position < bytes.count else { throw End() }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func skip(_ count: Int) throws(End) {
    guard count <= bytes.count - position else { throw End() }
    position += count
  }

  mutating func bigEndian(bytes count: Int) throws(End) -> Int {
    var value = 0
    for _ in 0..<count { value = value << 8 | Int(try byte()) }
    return value
  }

  mutating func littleEndian(bytes count: Int) throws(End) -> Int {
    var value = 0
    for index in 0..<count { value |= Int(try byte()) << (8 * index) }
    return value
  }
}
