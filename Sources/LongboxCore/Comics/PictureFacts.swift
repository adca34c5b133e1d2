// Longbox
// SPDX-License-Identifier: MIT

/// What is known of a comic's picture without looking at it again.
///
/// It is enough to lay out a page before the picture arrives.
public struct PictureFacts: Hashable, Sendable {
  /// The file format, told from the bytes.
  public enum Format: UInt8, Sendable {
    /// Portable Network Graphics.
    case png = 1
    /// JPEG.
    case jpeg = 2
    /// GIF, animated or not.
    case gif = 3
  }

  /// Whether a picture of twice the resolution stands beside this one (`_2x`, not told by the API).
  public enum DoubleSize: UInt8, Sendable {
    /// Not asked yet.
    case unknown = 0
    /// Asked, and there was none.
    case absent = 1
    /// There is one.
    case present = 2
  }

  /// Width in pixels as displayed, after the EXIF rotation has been applied.
  public var width: Int
  /// Height in pixels as displayed, after the EXIF rotation has been applied.
  public var height: Int
  /// The size of the file in bytes.
  public var byteCount: Int
  /// The number of frames; above 1 for an animation.
  public var frames: Int
  /// The file format.
  public var format: Format
  /// Whether any pixel is transparent, so that the picture needs a white page behind it.
  public var isTransparent: Bool
  /// The share of pixels that are visibly coloured, in thousandths.
  public var colourPermille: Int
  /// The mean lightness over a white page: 0 black, 255 white.
  public var lightness: Int
  /// Whether there is a picture of twice the resolution.
  public var doubleSize: DoubleSize
  /// The first 32 bits of the content's SHA-256, so that the picture's address changes with it; 0 where not known.
  public var version: UInt32

  /// Makes the facts of a picture.
  public init(
    width: Int,
    height: Int,
    byteCount: Int,
    frames: Int = 1,
    format: Format,
    isTransparent: Bool = false,
    colourPermille: Int = 0,
    lightness: Int = 255,
    doubleSize: DoubleSize = .unknown,
    version: UInt32 = 0
  ) {
    self.width = width
    self.height = height
    self.byteCount = byteCount
    self.frames = frames
    self.format = format
    self.isTransparent = isTransparent
    self.colourPermille = colourPermille
    self.lightness = lightness
    self.doubleSize = doubleSize
    self.version = version
  }

  /// Whether the picture may be inverted in dark mode: it is light and has nearly no colour.
  ///
  /// Of xkcd's first 3279 pictures 2730 have
  /// no coloured pixel, and 71 are dark already; so this is computed, not listed.
  public var mayInvert: Bool { colourPermille <= 5 && lightness >= 160 }

  /// The version as eight hexadecimal digits, or empty where it is not known.
  public var versionText: Text {
    guard version != 0 else { return .empty }
    let digits = ("0123456789abcdef" as StaticString).utf8Bytes
    return Text((0..<8).map { digits[Int(truncatingIfNeeded: version >> UInt32(28 - 4 * $0)) & 15] })
  }
}
