// Longbox
// SPDX-License-Identifier: MIT

import NIOCore

/// Writes gray baseline JPEG (ITU-T T.81) in which each block of 8 by 8 pixels has one shade.
///
/// With a quantizer of 8, a block's DC coefficient is its shade minus 128, so no transform is needed.
enum JPEGFile {
  static func encoded(_ raster: Raster) -> ByteBuffer {
    var file = ByteBuffer(bytes: [0xFF, 0xD8])
    // APP0: JFIF 1.1, no units, square pixels, no thumbnail.
    append(marker: 0xE0, [0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0], to: &file)
    append(marker: 0xDB, [0] + Array(repeating: 8, count: 64), to: &file)
    let sides = [raster.height, raster.width].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    append(marker: 0xC0, [8] + sides + [1, 1, 0x11, 0], to: &file)
    // The DC table: ten 4-bit codes for the categories 0 to 9. The AC table: one code, "end of block".
    append(marker: 0xC4, [0x00, 0, 0, 0, 10] + Array(repeating: 0, count: 12) + Array(0...9), to: &file)
    append(marker: 0xC4, [0x10, 1] + Array(repeating: 0, count: 15) + [0], to: &file)
    append(marker: 0xDA, [1, 1, 0, 0, 63, 0], to: &file)
    file.writeBytes(scan(of: raster))
    file.writeBytes([0xFF, 0xD9])
    return file
  }

  private static func scan(of raster: Raster) -> [UInt8] {
    var bits = BitString()
    var previous = 0
    for row in stride(from: 0, to: raster.height, by: 8) {
      for column in stride(from: 0, to: raster.width, by: 8) {
        let shade = Raster.shades[Int(raster.pixels[row * raster.width + column])]
        let coefficient = Int(shade) - 128
        let difference = coefficient - previous
        previous = coefficient
        // T.81, F.1.2.1: the category is the bit length of the difference; a negative one is sent minus 1.
        let category = Int.bitWidth - abs(difference).leadingZeroBitCount
        bits.append(category, count: 4)
        bits.append(difference < 0 ? difference - 1 : difference, count: category)
        bits.append(0, count: 1)
      }
    }
    return bits.finished()
  }

  private static func append(marker: UInt8, _ content: [UInt8], to file: inout ByteBuffer) {
    file.writeBytes([0xFF, marker])
    file.writeInteger(UInt16(content.count + 2))
    file.writeBytes(content)
  }
}

/// A bit string as in a JPEG scan: most significant bit first, with a zero byte after each 0xFF.
private struct BitString {
  private var bytes: [UInt8] = []
  private var current: UInt8 = 0
  private var filled = 0

  /// Appends the lowest `count` bits of a value.
  mutating func append(_ value: Int, count: Int) {
    for position in stride(from: count - 1, through: 0, by: -1) {
      current = current << 1 | UInt8(value >> position & 1)
      filled += 1
      if filled == 8 { flush() }
    }
  }

  consuming func finished() -> [UInt8] {
    while filled > 0 { append(1, count: 1) }
    return bytes
  }

  private mutating func flush() {
    bytes.append(current)
    if current == 0xFF { bytes.append(0) }
    current = 0
    filled = 0
  }
}
