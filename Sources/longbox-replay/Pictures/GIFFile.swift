// Longbox
// SPDX-License-Identifier: MIT

import NIOCore

/// Writes GIF89a with 8-bit codes only: the code table is cleared before it needs wider ones.
enum GIFFile {
  private static let clear: UInt8 = 128
  private static let end: UInt8 = 129

  static func encoded(_ raster: Raster) -> ByteBuffer {
    var file = ByteBuffer(string: "GIF89a")
    file.writeInteger(UInt16(raster.width), endianness: .little)
    file.writeInteger(UInt16(raster.height), endianness: .little)
    // A global table of 128 colors, of which four are used.
    file.writeBytes([0xF6, 0, 0])
    file.writeBytes(Raster.shades.flatMap { [$0, $0, $0] })
    file.writeRepeatingByte(0, count: (128 - Raster.shades.count) * 3)
    file.writeBytes([0x2C, 0, 0, 0, 0])
    file.writeInteger(UInt16(raster.width), endianness: .little)
    file.writeInteger(UInt16(raster.height), endianness: .little)
    file.writeBytes([0, 7])
    var rest = codes(of: raster)[...]
    while !rest.isEmpty {
      let block = rest.prefix(255)
      rest = rest.dropFirst(block.count)
      file.writeInteger(UInt8(block.count))
      file.writeBytes(block)
    }
    file.writeBytes([0, 0x3B])
    return file
  }

  /// One code per pixel; after a clear code the table takes 126 entries before codes grow to nine bits.
  private static func codes(of raster: Raster) -> [UInt8] {
    var codes: [UInt8] = []
    codes.reserveCapacity(raster.pixels.count + raster.pixels.count / 100 + 2)
    for (index, pixel) in raster.pixels.enumerated() {
      if index.isMultiple(of: 100) { codes.append(clear) }
      codes.append(pixel)
    }
    codes.append(end)
    return codes
  }
}
