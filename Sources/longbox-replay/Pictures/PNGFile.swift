// Longbox
// SPDX-License-Identifier: MIT

import NIOCore

/// Writes PNG (ISO/IEC 15948) with a palette of four grays, two bits per pixel, in uncompressed zlib blocks.
enum PNGFile {
  static func encoded(_ raster: Raster) -> ByteBuffer {
    var file = ByteBuffer(bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    var header = ByteBuffer()
    header.writeInteger(UInt32(raster.width))
    header.writeInteger(UInt32(raster.height))
    // Bit depth 2, color type 3 (palette), deflate, the only filter method, no interlacing.
    header.writeBytes([2, 3, 0, 0, 0])
    append("IHDR", header, to: &file)
    append("PLTE", ByteBuffer(bytes: Raster.shades.flatMap { [$0, $0, $0] }), to: &file)
    append("IDAT", stored(scanlines(of: raster)), to: &file)
    append("IEND", ByteBuffer(), to: &file)
    return file
  }

  /// Each row starts with filter type 0; a byte has four pixels.
  private static func scanlines(of raster: Raster) -> [UInt8] {
    let stride = (raster.width + 3) / 4
    var lines: [UInt8] = []
    lines.reserveCapacity(raster.height * (stride + 1))
    for row in 0..<raster.height {
      lines.append(0)
      let start = row * raster.width
      for group in 0..<stride {
        var byte: UInt8 = 0
        for pixel in 0..<4 {
          let column = group * 4 + pixel
          byte = byte << 2 | (column < raster.width ? raster.pixels[start + column] : 0)
        }
        lines.append(byte)
      }
    }
    return lines
  }

  /// The bytes as a zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4), each of at most 65,535 bytes.
  private static func stored(_ bytes: [UInt8]) -> ByteBuffer {
    var stream = ByteBuffer(bytes: [0x78, 0x01])
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      stream.writeInteger(UInt8(rest.isEmpty ? 1 : 0))
      stream.writeInteger(UInt16(block.count), endianness: .little)
      stream.writeInteger(~UInt16(block.count), endianness: .little)
      stream.writeBytes(block)
    } while !rest.isEmpty
    stream.writeInteger(Checksum.adler32(bytes))
    return stream
  }

  private static func append(_ type: StaticString, _ data: ByteBuffer, to file: inout ByteBuffer) {
    var typed = ByteBuffer(staticString: type)
    typed.writeImmutableBuffer(data)
    file.writeInteger(UInt32(data.readableBytes))
    file.writeImmutableBuffer(typed)
    file.writeInteger(Checksum.crc32(typed.readableBytesView))
  }
}
