// Longbox
// SPDX-License-Identifier: MIT

import CLongboxVips
public import struct LongboxCore.PictureFacts

/// Inspects pictures with libvips, which is made for untrusted input.
///
/// Only its loaders for PNG, JPEG and GIF are called.
///
/// A picture is read once, a few rows at a time, so most need little memory. Interlaced, progressive and
/// rotated ones need four bytes a pixel. It takes 5 to 60 ms a picture, so call it from a
/// ``PictureInspectionQueue``, off the cooperative pool.
public struct PictureInspector: Sendable {
  /// The version of the rules below.
  ///
  /// Raise it when they find something else in the same bytes: stored pictures are then inspected again.
  public static let rulesVersion = 1

  /// The least difference between the greatest and the least of red, green and blue that is visible as
  /// colour.
  ///
  /// JPEG noise stays below it: from 16 to 32 the recorded greyscale PNG files stay the same, and greyscale
  /// JPEG files grow from 42 to 54. A higher value would lose pastel colours.
  static let colourDistance: Int32 = 32
  static let thumbnailWidth: Int32 = 320
  /// The greatest height of a thumbnail in pixels; a taller picture is cropped to its top.
  static let thumbnailHeight: Int32 = 480

  /// The largest accepted file, in bytes.
  public let byteLimit: Int
  /// The most pixels of one frame.
  public let pixelLimit: Int

  /// Makes an inspector.
  /// - Parameters:
  ///   - byteLimit: by default 32 MiB; the median of xkcd's pictures is 41 kB.
  ///   - pixelLimit: by default 50 million. The largest comic (1732) has 11 million, and would have 44 at
  ///     twice the size.
  public init(byteLimit: Int = 32 << 20, pixelLimit: Int = 50_000_000) {
    self.byteLimit = byteLimit
    self.pixelLimit = pixelLimit
  }

  /// Finds the facts that a page needs about a picture.
  ///
  /// Colour, lightness and transparency are those of an animation's first frame. `doubleSize` stays unknown,
  /// because the bytes don't say it.
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

  /// Makes a WebP thumbnail, at most 320 pixels wide and 480 high, upright, with white for transparency.
  ///
  /// It is never enlarged. A picture more than one and a half times as high as wide is cropped to its top. An
  /// animation gives its first frame.
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
