// Longbox
// SPDX-License-Identifier: MIT

/// A position in a file that moves forward and never past the end.
struct ByteCursor {
  let bytes: [UInt8]
  private(set) var position: Int

  init(_ bytes: [UInt8], at position: Int) {
    self.bytes = bytes
    self.position = position
  }

  mutating func byte() throws(PictureFault) -> UInt8 {
    guard position < bytes.count else { throw .cut }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func take(_ count: Int) throws(PictureFault) -> ArraySlice<UInt8> {
    guard count <= bytes.count - position else { throw .cut }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func skip(_ count: Int) throws(PictureFault) {
    _ = try take(count)
  }

  mutating func bigEndian(bytes count: Int) throws(PictureFault) -> Int {
    try take(count).reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func littleEndian(bytes count: Int) throws(PictureFault) -> Int {
    try take(count).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
