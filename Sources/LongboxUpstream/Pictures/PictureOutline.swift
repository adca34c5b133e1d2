// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A picture file's format and size, found by walking through all of its parts without decoding a pixel.
///
/// The walk proves that the file is complete, so a download that broke off is never stored. Only libvips
/// finds out whether every pixel decodes.
public struct PictureOutline: Equatable, Sendable {
  /// The format, detected from the first bytes; file names and content types are ignored.
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

  /// Walks through a file from the first to the last part; later bytes are allowed, as in browsers and
  /// libvips.
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
