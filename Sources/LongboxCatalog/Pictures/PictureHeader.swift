// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// What a picture's first bytes say, without decoding it.
enum PictureHeader {
  /// The format; file names and content types are ignored.
  static func format(of bytes: [UInt8]) throws(PictureError) -> PictureFacts.Format {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return .gif }
    throw .foreign
  }

  /// The facts without `longbox-pictures`: format and size.
  ///
  /// The picture counts as coloured, so that dark pages show it as drawn. An EXIF rotation is ignored.
  static func facts(of bytes: [UInt8]) throws(PictureError) -> PictureFacts {
    let format = try format(of: bytes)
    let size: (width: Int, height: Int)
    do throws(ByteCursor.End) {
      size =
        switch format {
        case .png: try sizeOfPNG(bytes)
        case .jpeg: try sizeOfJPEG(bytes)
        case .gif: try sizeOfGIF(bytes)
        }
    } catch {
      throw .damaged(reason: "the file is cut short")
    }
    guard size.width > 0, size.height > 0 else { throw .damaged(reason: "it has no size") }
    return PictureFacts(
      width: size.width,
      height: size.height,
      byteCount: bytes.count,
      format: format,
      colourPermille: 1000
    )
  }

  /// The size in the first chunk (PNG specification, section 11.2.1).
  private static func sizeOfPNG(_ bytes: [UInt8]) throws(ByteCursor.End) -> (Int, Int) {
    var cursor = ByteCursor(bytes, at: 16)
    return (try cursor.bigEndian(bytes: 4), try cursor.bigEndian(bytes: 4))
  }

  /// The size of the screen (GIF89a specification, section 18).
  private static func sizeOfGIF(_ bytes: [UInt8]) throws(ByteCursor.End) -> (Int, Int) {
    var cursor = ByteCursor(bytes, at: 6)
    return (try cursor.littleEndian(bytes: 2), try cursor.littleEndian(bytes: 2))
  }

  /// The size in the frame header, after any number of other segments (ITU-T T.81, annex B).
  private static func sizeOfJPEG(_ bytes: [UInt8]) throws(ByteCursor.End) -> (Int, Int) {
    var cursor = ByteCursor(bytes, at: 2)
    while true {
      var marker = try cursor.byte()
      while marker == 0xFF { marker = try cursor.byte() }
      let length = try cursor.bigEndian(bytes: 2)
      // SOF0 to SOF15, without DHT, JPG and DAC, which lie among them.
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        try cursor.skip(1)
        let height = try cursor.bigEndian(bytes: 2)
        return (try cursor.bigEndian(bytes: 2), height)
      }
      try cursor.skip(max(length - 2, 0))
    }
  }
}
