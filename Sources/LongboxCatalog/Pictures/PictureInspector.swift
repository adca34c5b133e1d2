// Longbox
// SPDX-License-Identifier: MIT

import CLongboxVips
public import struct LongboxCore.PictureFacts

/// Looks into pictures with libvips, which is made for untrusted ones: only its loaders of PNG, JPEG and GIF are called.
///
/// A picture is read once, a few rows at a time, so that most need no more memory than a strip of them; interlaced,
/// progressive and rotated ones need four bytes a pixel. It takes 5 to 60 ms a picture: off the cooperative pool, by a
/// ``PictureWorkshop``.
public struct PictureInspector: Sendable {
  /// The version of the rules below: with each change of what they find in the same bytes, raise it.
  ///
  /// What was found by older ones is then found anew in the stored pictures.
  public static let rulesVersion = 1

  /// How far the greatest and the least of red, green and blue lie apart in a pixel that is visibly coloured.
  ///
  /// The noise of a JPEG file stays below: from 16 to 32 the recorded PNG files without colour remain the same ones, while
  /// those JPEG files grow from 42 to 54; above, pastel colours would be lost.
  static let colourDistance: Int32 = 32
  /// The width of a thumbnail in pixels.
  static let thumbnailWidth: Int32 = 320
  /// The greatest height of a thumbnail in pixels; of a higher picture it shows the top.
  static let thumbnailHeight: Int32 = 480

  /// The largest file that is looked at, in bytes.
  public let byteLimit: Int
  /// The most pixels that one frame may have.
  public let pixelLimit: Int

  /// Makes an inspector.
  /// - Parameters:
  ///   - byteLimit: by default 32 MiB; xkcd's pictures have 41 kB in the median.
  ///   - pixelLimit: by default 50 million; the largest comic (1732) has 11 million, and would have 44 at twice the size.
  public init(byteLimit: Int = 32 << 20, pixelLimit: Int = 50_000_000) {
    self.byteLimit = byteLimit
    self.pixelLimit = pixelLimit
  }

  /// Finds out what a page needs to know of a picture.
  ///
  /// Colour, lightness and transparency are those of an animation's first frame. Whether there is a picture of twice the size
  /// isn't in the bytes: that is left unknown.
  /// - Parameter bytes: the whole file.
  public func facts(of bytes: [UInt8]) throws(PictureError) -> PictureFacts {
    try check(bytes)
    var found = longbox_picture_facts()
    var reason = longbox_picture_reason()
    let result = longbox_picture_inspect(
      bytes,
      bytes.count,
      Int64(pixelLimit),
      Self.colourDistance,
      &found,
      &reason
    )
    try check(result, found: found, reason: reason)
    guard let format = PictureFacts.Format(rawValue: UInt8(truncatingIfNeeded: found.format.rawValue)) else {
      throw .foreign
    }
    return PictureFacts(
      width: Int(found.width),
      height: Int(found.height),
      byteCount: bytes.count,
      frames: Int(found.frames),
      format: format,
      isTransparent: found.is_transparent != 0,
      colourPermille: Int(found.colour_permille),
      lightness: Int(found.lightness)
    )
  }

  /// Makes a WebP file of a picture: at most 320 pixels wide and 480 high, upright, on white where it is transparent.
  ///
  /// It is never enlarged. Of a picture that is more than one and a half times as high as wide it shows the top; of an
  /// animation the first frame.
  /// - Parameter bytes: the whole file.
  public func thumbnail(of bytes: [UInt8]) throws(PictureError) -> [UInt8] {
    try check(bytes)
    var found = longbox_picture_facts()
    var reason = longbox_picture_reason()
    var file: UnsafeMutablePointer<UInt8>?
    var byteCount = 0
    let result = longbox_picture_thumbnail(
      bytes,
      bytes.count,
      Int64(pixelLimit),
      Self.thumbnailWidth,
      Self.thumbnailHeight,
      &found,
      &file,
      &byteCount,
      &reason
    )
    defer { longbox_picture_free(file) }
    try check(result, found: found, reason: reason)
    return [UInt8](UnsafeBufferPointer(start: file, count: byteCount))
  }

  private func check(_ bytes: [UInt8]) throws(PictureError) {
    guard bytes.count <= byteLimit else { throw .tooManyBytes(count: bytes.count, limit: byteLimit) }
  }

  /// Throws what the C functions tell by a code.
  private func check(
    _ result: longbox_picture_result,
    found: longbox_picture_facts,
    reason: longbox_picture_reason
  ) throws(PictureError) {
    switch result {
    case LONGBOX_PICTURE_OK: return
    case LONGBOX_PICTURE_FOREIGN: throw .foreign
    case LONGBOX_PICTURE_TOO_LARGE:
      throw .tooManyPixels(width: Int(found.width), height: Int(found.height), limit: pixelLimit)
    case LONGBOX_PICTURE_UNAVAILABLE: throw .unavailable(reason: Self.text(reason))
    default: throw .damaged(reason: Self.text(reason))
    }
  }

  private static func text(_ reason: longbox_picture_reason) -> String {
    withUnsafeBytes(of: reason.text) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).replacing("\n", with: "; ")
    }
  }
}
