// Longbox
// SPDX-License-Identifier: MIT

/// Facts about a comic's picture, enough to lay out a page before the picture loads.
public struct PictureFacts: Hashable, Sendable {
  /// The file format, detected from the bytes.
  public enum Format: UInt8, Sendable {
    case png = 1
    case jpeg = 2
    /// GIF, animated or not.
    case gif = 3
  }

  /// Whether the source has the picture at twice the resolution (`_2x`, not in the API).
  public enum DoubleSize: UInt8, Sendable {
    /// Not checked yet.
    case unknown = 0
    /// Checked: there is none.
    case absent = 1
    case present = 2
  }

  /// What is known of the larger version that a comic's link leads to, see ``LargerVersion``.
  public enum Larger: UInt8, Sendable {
    /// It was not fetched yet, or the link leads to none.
    case unknown = 0
    case absent = 1
    case present = 2
    /// It has more pixels than Longbox takes.
    case tooLarge = 3
  }

  /// Width in pixels as displayed, after the EXIF rotation has been applied.
  public var width: Int
  /// Height in pixels as displayed, after the EXIF rotation has been applied.
  public var height: Int
  /// The size of the file in bytes.
  public var byteCount: Int
  /// The number of frames; above 1 for an animation.
  public var frames: Int
  public var format: Format
  /// Whether any pixel is transparent, so that the picture needs a white background.
  public var isTransparent: Bool
  /// The share of pixels that are visibly coloured, in thousandths.
  public var colourPermille: Int
  /// The mean lightness over a white page: 0 black, 255 white.
  public var lightness: Int
  /// Whether a picture of twice the resolution exists.
  public var doubleSize: DoubleSize
  /// Whether a larger version exists.
  public var larger: Larger
  /// The first 32 bits of the content's SHA-256, a part of the picture's address; 0 if unknown.
  public var version: UInt32

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
    larger: Larger = .unknown,
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
    self.larger = larger
    self.version = version
  }

  /// Whether the picture is line art, which dark mode may invert: it is light and has almost no colour.
  ///
  /// Of the first 3279 pictures 2730 have no coloured pixel, and 71 are dark already.
  public var isLineArt: Bool { colourPermille <= 5 && lightness >= 160 }

  /// Whether it has too few bytes to show anything: less than one for a thousand pixels.
  ///
  /// The record of an interactive comic may name an empty area that its script fills. Of the others none has less than four.
  public var isBlank: Bool {
    // In WebAssembly an `Int` has 32 bits, too few for the product of a picture of 3 MB.
    Double(byteCount) * 1000 < Double(width) * Double(height)
  }

  /// The version as eight hexadecimal digits; empty if unknown.
  public var versionText: Text {
    guard version != 0 else { return .empty }
    return Text((0..<8).map { UInt8(hexadecimalDigit: UInt8(version >> UInt32(28 - 4 * $0) & 15)) })
  }
}

/// A larger version of a comic's picture, on xkcd.com, to which the comic links.
public enum LargerVersion: Equatable, Sendable {
  /// A page that shows it, such as `https://xkcd.com/980/huge/` or `https://xkcd.com/850_large/`.
  case page
  case picture
  /// A document (2380), which is no picture.
  case document

  /// Reads a comic's link; nil if it leads to something else.
  ///
  /// A page counts if it is one of the comic itself, and a file if it is on `xkcd.com` or `imgs.xkcd.com`.
  /// - Parameters:
  ///   - link: an absolute address, see ``Comic/link``.
  ///   - number: the comic.
  public init?(_ link: Text, of number: Comic.Number) {
    var rest = link.bytes
    for scheme in ["https://", "http://"] as [StaticString] where rest.starts(with: scheme.utf8Bytes) {
      rest = rest.dropFirst(scheme.utf8CodeUnitCount)
    }
    guard rest.count < link.count, let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let host = rest[..<slash]
    var path = rest[(slash + 1)...]
    let isPictures = ("imgs.xkcd.com" as StaticString).isEqual(to: host)
    guard
      isPictures
        || (["xkcd.com", "www.xkcd.com"] as [StaticString]).contains(where: { $0.isEqual(to: host) })
    else { return nil }
    guard !path.contains(UInt8(ascii: "?")), !path.contains(UInt8(ascii: "#")) else { return nil }
    if let dot = path.lastIndex(of: UInt8(ascii: ".")) {
      let ending = path[(dot + 1)...].map { $0.lowercasedASCII }
      if ("pdf" as StaticString).isEqual(to: ending) {
        self = .document
        return
      }
      guard (["png", "jpg", "jpeg", "gif"] as [StaticString]).contains(where: { $0.isEqual(to: ending) })
      else {
        return nil
      }
      self = .picture
      return
    }
    let own = Text(decimal: number.value).bytes
    guard !isPictures, path.starts(with: own), path.count > own.count else { return nil }
    path = path.dropFirst(own.count + 1)
    if path.last == UInt8(ascii: "/") { path = path.dropLast() }
    guard (["large", "huge"] as [StaticString]).contains(where: { $0.isEqual(to: path) }) else { return nil }
    self = .page
  }
}
