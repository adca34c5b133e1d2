// Longbox
// SPDX-License-Identifier: MIT

/// Small picture files made byte by byte: each oddity is visible, and the repository holds no pictures.
package enum HandmadePicture {
  /// A PNG file (RFC 2083) with uncompressed pixels.
  /// - Parameters:
  ///   - width: in pixels.
  ///   - height: in pixels.
  ///   - colourType: 0 grey, 2 red-green-blue, 4 grey with alpha, 6 red-green-blue with alpha.
  ///   - depth: bits a channel: 8 or 16.
  ///   - pixel: the bytes of the pixel at (x, y), most significant first.
  package static func png(
    _ width: Int,
    _ height: Int,
    colourType: UInt8 = 2,
    depth: UInt8 = 8,
    pixel: (_ x: Int, _ y: Int) -> [UInt8]
  ) -> [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(0)
      for x in 0..<width { rows += pixel(x, y) }
    }
    return pngHead(width, height, colourType: colourType, depth: depth) + chunk("IDAT", stored(rows))
      + chunk("IEND", [])
  }

  /// A PNG file that declares far more pixels than it has.
  package static func bomb(_ width: Int, _ height: Int) -> [UInt8] {
    pngHead(width, height) + chunk("IDAT", stored([UInt8](repeating: 0, count: 99))) + chunk("IEND", [])
  }

  /// A black PNG file that has all pixels that it declares, in a hundredth of their bytes.
  package static func deflateBomb(_ width: Int, _ height: Int) -> [UInt8] {
    pngHead(width, height) + chunk("IDAT", deflatedZeros(height * (3 * width + 1))) + chunk("IEND", [])
  }

  /// A zlib stream of zeros: one as itself, and then repetitions of 258 (RFC 1951 section 3.2.6).
  private static func deflatedZeros(_ count: Int) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var byte: UInt8 = 0
    var filled: UInt8 = 0
    func append(_ bits: [UInt8]) {
      for bit in bits {
        byte |= bit << filled
        filled += 1
        guard filled == 8 else { continue }
        stream.append(byte)
        (byte, filled) = (0, 0)
      }
    }
    let zero: [UInt8] = [0, 0, 1, 1, 0, 0, 0, 0]
    // The last block, with fixed codes.
    append([1, 1, 0] + zero)
    for _ in 0..<(count - 1) / 258 { append([1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]) }
    for _ in 0..<(count - 1) % 258 { append(zero) }
    append([UInt8](repeating: 0, count: 7))
    if filled > 0 { stream.append(byte) }
    return stream + bytes(UInt32(count % 65521) << 16 | 1)
  }

  private static func pngHead(_ width: Int, _ height: Int, colourType: UInt8 = 2, depth: UInt8 = 8) -> [UInt8]
  {
    let size = bytes(UInt32(width)) + bytes(UInt32(height))
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", size + [depth, colourType, 0, 0, 0])
  }

  /// An animated GIF file of 2 by 1 pixels, each frame of one colour.
  /// - Parameter frames: the index of each frame's colour: 0 white, 1 red, 2 black, 3 transparent.
  package static func gif(frames: [UInt8]) -> [UInt8] {
    var file: [UInt8] = Array("GIF89a".utf8) + [2, 0, 1, 0, 0b1000_0001, 0, 0]
    file += [255, 255, 255, 255, 0, 0, 0, 0, 0, 9, 9, 9]
    for frame in frames {
      file += [0x21, 0xF9, 4, 0b0000_0001, 10, 0, 3, 0]
      file += [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0]
      // LZW codes of three bits, least significant first: clear (4), the pixel twice, end (5).
      let codes = [4, Int(frame), Int(frame), 5].enumerated().reduce(0) { $0 | $1.element << (3 * $1.offset) }
      file += [2, 2, UInt8(codes & 0xFF), UInt8(codes >> 8), 0]
    }
    return file + [0x3B]
  }

  /// A grey JPEG file of 16 by 8 pixels, dark on the left and light on the right, with an EXIF orientation.
  ///
  /// It is baseline, with Huffman tables of two codes each: each 8 by 8 block has only its mean.
  /// - Parameter orientation: 1 upright, 3 upside down, 6 and 8 rotated by a quarter turn.
  package static func jpeg(orientation: UInt8) -> [UInt8] {
    let exif: [UInt8] =
      Array("Exif".utf8) + [0, 0] + Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
      + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0] + [0, 0, 0, 0]
    let quantisation: [UInt8] = [0] + [UInt8](repeating: 8, count: 64)
    let frame: [UInt8] = [8, 0, 8, 0, 16, 1, 1, 0x11, 0]
    // A 1-bit code (0) for a difference of 7 bits, a 2-bit code (10) for 8; then a code (0) for end of block.
    let direct: [UInt8] = [0x00, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 8]
    let alternating: [UInt8] = [0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let scan: [UInt8] = [1, 1, 0, 0, 63, 0]
    // First block: -100 (0, 0011011, 0). Second: 200 more (10, 11001000, 0). Padded with ones.
    let pixels: [UInt8] = [0b0001_1011, 0b0101_1001, 0b0000_1111]
    return [0xFF, 0xD8] + segment(0xE1, exif) + segment(0xDB, quantisation) + segment(0xC0, frame)
      + segment(0xC4, direct) + segment(0xC4, alternating) + segment(0xDA, scan) + pixels + [0xFF, 0xD9]
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let named = Array(type.utf8) + content
    return bytes(UInt32(content.count)) + named + bytes(crc32(named))
  }

  /// A zlib stream (RFC 1950) of stored blocks (RFC 1951 section 3.2.4).
  private static func stored(_ content: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = content[...]
    while !rest.isEmpty {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      stream += [
        rest.isEmpty ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF),
        UInt8(~count >> 8),
      ]
      stream += block
    }
    return stream + bytes(adler32(content))
  }

  private static func adler32(_ content: [UInt8]) -> UInt32 {
    let (low, high) = content.reduce((UInt32(1), UInt32(0))) { sums, byte in
      let low = (sums.0 + UInt32(byte)) % 65521
      return (low, (sums.1 + low) % 65521)
    }
    return high << 16 | low
  }

  private static func crc32(_ content: [UInt8]) -> UInt32 {
    ~content.reduce(~UInt32(0)) { remainder, byte in
      (0..<8).reduce(remainder ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  private static func bytes(_ value: UInt32) -> [UInt8] {
    [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
  }
}
