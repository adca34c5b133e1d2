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

/// The chunk that ends a PNG file (PNG specification, section 11.2.5).
///
/// libvips accepts a file without it if all rows are there, so a file whose last bytes are missing would count as whole.
enum PNGEnd {
  private static let chunk: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

  /// Checks that the chunk is there; bytes after it are allowed, as in browsers.
  /// - Parameter bytes: a file that libvips has decoded as PNG.
  static func check(_ bytes: [UInt8]) throws(PictureError) {
    var start = bytes.count - chunk.count
    while start >= 0 {
      if bytes[start...].starts(with: chunk) { return }
      start -= 1
    }
    throw .damaged(reason: "its last bytes are missing")
  }
}

/// Walks through the blocks of a GIF file (GIF89a specification, appendix B) to its end.
///
/// libvips decodes an animation's first frame only. With any `fail_on` it accepts a file that ends after that frame.
enum GIFBlocks {
  /// Checks that no block is missing; bytes after the trailer are allowed, as in browsers.
  /// - Parameter bytes: a file that begins as GIF does.
  static func check(_ bytes: [UInt8]) throws(PictureError) {
    do throws(ByteCursor.End) {
      var cursor = ByteCursor(bytes, at: 10)
      let flags = try cursor.byte()
      try cursor.skip(2)
      try skipColourTable(flags, &cursor)
      while try skipBlock(&cursor) {}
    } catch {
      throw .damaged(reason: "the animation is cut short")
    }
  }

  /// Moves past a block.
  /// - Returns: whether another follows. libvips has checked what the blocks are.
  private static func skipBlock(_ cursor: inout ByteCursor) throws(ByteCursor.End) -> Bool {
    switch try cursor.byte() {
    case 0x21:
      try cursor.skip(1)
      try skipSubBlocks(&cursor)
    case 0x2C:
      try cursor.skip(8)
      try skipColourTable(try cursor.byte(), &cursor)
      try cursor.skip(1)
      try skipSubBlocks(&cursor)
    default: return false
    }
    return true
  }

  private static func skipColourTable(_ flags: UInt8, _ cursor: inout ByteCursor) throws(ByteCursor.End) {
    guard flags & 0x80 != 0 else { return }
    try cursor.skip(3 << (Int(flags & 0x07) + 1))
  }

  private static func skipSubBlocks(_ cursor: inout ByteCursor) throws(ByteCursor.End) {
    while true {
      let length = Int(try cursor.byte())
      guard length > 0 else { return }
      try cursor.skip(length)
    }
  }
}

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

/// Why bytes are not a picture that Longbox shows.
public enum PictureError: Error, Equatable, Sendable {
  /// The bytes are not PNG, JPEG or GIF; often they are a web page instead.
  case foreign
  /// The file is larger than any comic.
  case tooManyBytes(count: Int, limit: Int)
  /// The picture has more pixels than any comic; it was not decoded.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// The file begins as a picture but can't be decoded to its end.
  case damaged(reason: String)
  /// `longbox-pictures` crashed, took too long or sent nonsense while it decoded the picture.
  case undecodable(reason: String)
  /// `longbox-pictures` can't be started, so no picture can be decoded.
  case unavailable(reason: String)
  /// The task was cancelled.
  case cancelled
}

extension PictureError: CustomStringConvertible {
  /// A sentence that says what is wrong with the file.
  public var description: String {
    switch self {
    case .foreign:
      "The file is not a PNG, JPEG or GIF picture."
    case .tooManyBytes(let count, let limit):
      "The picture's file has \(count) bytes, which is more than the \(limit) that Longbox takes."
    case .tooManyPixels(let width, let height, let limit):
      "The picture has \(width) by \(height) pixels, which is more than the \(limit) that Longbox takes."
    case .damaged(let reason):
      reason.isEmpty
        ? "The picture is damaged, or its file was cut off." : "The picture is damaged: \(reason)."
    case .undecodable(let reason):
      "The picture can't be decoded: \(reason)."
    case .unavailable(let reason):
      "The picture can't be decoded, because \(reason)."
    case .cancelled:
      "The picture was not decoded, because the request was cancelled."
    }
  }
}
