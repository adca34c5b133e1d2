// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What a picture file says of itself, read by walking through all of its parts without decoding a pixel.
///
/// The walk proves that the file is whole, so that a picture cut short by a broken connection never gets stored.
/// It doesn't prove that every pixel decodes: that is for libvips to find out.
public struct PictureOutline: Equatable, Sendable {
  /// The format, told from the first bytes; names and content types are not asked.
  public let format: PictureFacts.Format
  /// The width in pixels as stored, before any EXIF rotation.
  public let width: Int
  /// The height in pixels as stored, before any EXIF rotation.
  public let height: Int

  init(format: PictureFacts.Format, width: Int, height: Int) {
    self.format = format
    self.width = width
    self.height = height
  }

  /// Walks through a file from the first to the last part.
  ///
  /// Bytes after the last are no fault: browsers and libvips take such files too.
  public init(of bytes: [UInt8]) throws(PictureFault) {
    if bytes.starts(with: PNGWalk.signature) {
      self = try PNGWalk.outline(of: bytes)
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = try JPEGWalk.outline(of: bytes)
    } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
      self = try GIFWalk.outline(of: bytes)
    } else {
      throw .unknownFormat
    }
    guard width > 0, height > 0 else { throw .damaged("a size of \(width) by \(height)") }
  }
}
