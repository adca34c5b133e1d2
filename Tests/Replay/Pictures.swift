// Longbox
// SPDX-License-Identifier: MIT

import CZlib
import NIOCore

/// A grey picture, one byte per pixel, row by row, for what isn't recorded.
struct Picture: Sendable {
  /// The values of paper, panels, ground and lines; 0 is black, 255 white.
  private static let shades: [UInt8] = [245, 228, 200, 160]

  let width: Int
  let height: Int
  private var pixels: [UInt8]

  private init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = Array(repeating: 0, count: width * height)
  }

  /// The media type of a file name; imgs.xkcd.com has three.
  static func mediaType(of name: String) -> String {
    switch name.split(separator: ".").last?.lowercased() {
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "gif": "image/gif"
    default: "application/octet-stream"
    }
  }

  /// Empty comic panels: one to three rows of one to three, each with a strip of "ground" at the bottom.
  ///
  /// A number always gives the same bytes, so that an interrupted or repeated fill sees the same picture. Size and panel count
  /// follow from the number, within the range of most comics.
  /// - Parameter scale: 1, 2 for double size, 4 for a larger version.
  static func panels(number: Int, scale: Int) -> Picture {
    var random = SeededGenerator(seed: UInt64(truncatingIfNeeded: number))
    let rows = Int.random(in: 1...3, using: &random)
    let width = Int.random(in: 380...740, using: &random)
    let height = rows * Int.random(in: 230...330, using: &random)
    var picture = Picture(width: width * scale, height: height * scale)
    let (gap, line) = (8 * scale, 2 * scale)
    for row in 0..<rows {
      let panels = Int.random(in: 1...3, using: &random)
      let y = span(of: row, among: rows, length: picture.height, gap: gap)
      for panel in 0..<panels {
        let x = span(of: panel, among: panels, length: picture.width, gap: gap)
        let ground = Int.random(in: 20...60, using: &random) * scale
        let (inner, bottom) = (x.lowerBound + line..<x.upperBound - line, y.upperBound - line)
        picture.fill(x: x, y: y, shade: 3)
        picture.fill(x: inner, y: y.lowerBound + line..<bottom, shade: 1)
        picture.fill(x: inner, y: bottom - ground..<bottom, shade: 2)
      }
    }
    return picture
  }

  /// A square cover with a bar, whose place follows from a seed.
  static func cover(side: Int, seed: UInt64) -> Picture {
    var picture = Picture(width: side, height: side)
    picture.fill(x: 0..<side, y: 0..<side, shade: 2)
    let top = Int(seed % 4) * side / 5
    picture.fill(x: 0..<side, y: top..<top + side / 5, shade: 3)
    return picture
  }

  /// The range of part `index` of `count` equal parts, with gaps around each.
  private static func span(of index: Int, among count: Int, length: Int, gap: Int) -> Range<Int> {
    let part = (length - gap) / count
    return gap + index * part..<(index + 1) * part
  }

  private mutating func fill(x: Range<Int>, y: Range<Int>, shade: UInt8) {
    for row in y { for column in x { pixels[row * width + column] = shade } }
  }

  /// As PNG (ISO/IEC 15948), with a palette and two bits per pixel.
  ///
  /// zlib stores without compression, so that a placeholder is about as large as a comic.
  var png: ByteBuffer {
    var lines: [UInt8] = []
    lines.reserveCapacity(height * (width / 4 + 2))
    for row in 0..<height {
      // The filter type "none"; then four pixels a byte.
      lines.append(0)
      for start in stride(from: row * width, to: (row + 1) * width, by: 4) {
        let four = pixels[start..<min(start + 4, (row + 1) * width)]
        lines.append(four.reduce(0) { $0 << 2 | $1 } << (2 * (4 - four.count)))
      }
    }
    var header = ByteBuffer()
    header.writeMultipleIntegers(UInt32(width), UInt32(height))
    // Bit depth 2, a palette, deflate, the only filter method, no interlacing.
    header.writeBytes([2, 3, 0, 0, 0])
    var file = ByteBuffer(bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    Self.append("IHDR", header, to: &file)
    Self.append("PLTE", ByteBuffer(bytes: Self.shades.flatMap { [$0, $0, $0] }), to: &file)
    Self.append("IDAT", Self.deflated(lines), to: &file)
    Self.append("IEND", ByteBuffer(), to: &file)
    return file
  }

  private static func deflated(_ bytes: [UInt8]) -> ByteBuffer {
    var length = compressBound(uLong(bytes.count))
    let stored = [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      compress2(buffer.baseAddress, &length, bytes, uLong(bytes.count), Z_NO_COMPRESSION)
      count = Int(length)
    }
    return ByteBuffer(bytes: stored)
  }

  private static func append(_ type: StaticString, _ data: ByteBuffer, to file: inout ByteBuffer) {
    var typed = ByteBuffer(staticString: type)
    typed.writeImmutableBuffer(data)
    file.writeInteger(UInt32(data.readableBytes))
    file.writeImmutableBuffer(typed)
    file.writeInteger(typed.withUnsafeReadableBytes { UInt32(crc32(0, $0.baseAddress, uInt($0.count))) })
  }
}

/// A square grey cover as JPEG (ITU-T T.81), of at most 1,200 pixels.
///
/// `seed` is in a comment, so that covers differ.
/// Each table of codes has only the code 0, which says that a block has the shade of the one before and nothing else. So the
/// data of a picture of one shade are two zero bits for each block of 8 by 8 pixels.
func greyCover(side: Int, seed: UInt64) -> ByteBuffer {
  let sides = [UInt8(side >> 8), UInt8(side & 0xFF)]
  let blocks = (side + 7) / 8 * ((side + 7) / 8)
  let zeros = [UInt8](repeating: 0, count: 15)
  var file = ByteBuffer(bytes: [0xFF, 0xD8])
  for (marker, content) in [
    // JFIF 1.1 with square pixels, the comment, the quantizers, the frame, both tables of codes, the scan.
    (0xE0, [0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]), (0xFE, Array(String(seed).utf8)),
    (0xDB, [0] + [UInt8](repeating: 8, count: 64)), (0xC0, [8] + sides + sides + [1, 1, 0x11, 0]),
    (0xC4, [0x00, 1] + zeros + [0]), (0xC4, [0x10, 1] + zeros + [0]), (0xDA, [1, 1, 0, 0, 63, 0]),
  ] as [(UInt8, [UInt8])] {
    file.writeBytes([0xFF, marker])
    file.writeInteger(UInt16(content.count + 2))
    file.writeBytes(content)
  }
  file.writeRepeatingByte(0, count: blocks / 4)
  // The last byte is filled up with ones.
  if blocks % 4 > 0 { file.writeInteger(UInt8(0xFF >> (2 * (blocks % 4)))) }
  file.writeBytes([0xFF, 0xD9])
  return file
}
