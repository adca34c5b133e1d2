// Longbox
// SPDX-License-Identifier: MIT

import CPictureMessages
public import LongboxCore
import LongboxStore
import LongboxUpstream

/// The size of a picture for a screen that shows it at one size, such as a frame with electronic ink, and how many greys it has.
///
/// With both sides, the picture stands in the middle of white, as large as it can be. With one, it gets that side. With none, it keeps
/// its own size.
public struct PictureCanvas: Hashable, Sendable {
  /// The longest side in pixels; no side gets longer, whether it is given or not.
  public static var longestSide: Int { Int(LONGBOX_CANVAS_SIDE) }

  /// How many greys there can be: those that screens show, up to all that a byte has.
  public static let greys = [2, 4, 8, 16, 256]

  /// The width in pixels; nil if the height decides.
  public var width: Int?
  /// The height in pixels; nil if the width decides.
  public var height: Int?
  /// How many greys it has, dithered; nil for the picture's own colours.
  public var greys: Int?

  /// Makes a canvas; sides beyond the limits are clamped when a picture is put on it.
  public init(width: Int? = nil, height: Int? = nil, greys: Int? = nil) {
    self.width = width
    self.height = height
    self.greys = greys
  }

  /// A text that differs for each canvas, such as `800x480-4`; 0 stands for what isn't given.
  var name: String { "\(width ?? 0)x\(height ?? 0)-\(greys ?? 0)" }

  /// Whether a picture gets larger on it.
  func enlarges(_ picture: PictureFacts) -> Bool {
    guard width != nil || height != nil else { return false }
    return picture.width < width ?? Self.longestSide && picture.height < height ?? Self.longestSide
  }

  /// A side as a request has it.
  static func side(_ pixels: Int?) -> UInt32 {
    pixels.map { UInt32(min(max($0, 1), longestSide)) } ?? 0
  }
}

extension Pictures {
  /// A comic's picture on a canvas, as a PNG file, from memory or made now; an animation gives its first frame.
  ///
  /// The double-size picture is used where it is stored and the picture gets larger.
  /// - Throws: `CatalogError.absent` if the comic has no picture; `PictureError` if it can't be decoded; the source's or the disk's
  ///   error.
  func picture(of number: Comic.Number, on canvas: PictureCanvas) async throws -> PictureContent {
    var picture = try await picture(.standard, of: number)
    if let facts = publisher.current.archive.comic(number)?.picture, canvas.enlarges(facts),
      let double = try await cache.picture(.doubleSize, of: number)
    {
      picture = double
    }
    let name = "\(picture.name)-\(canvas.name)"
    if let made = canvases[name] { return made }
    let bytes = try await inspector.picture(picture.bytes, on: canvas)
    let made = PictureContent(name: name, mediaType: "image/png", bytes: bytes)
    canvases.insert(made, for: name, cost: bytes.count + name.utf8.count)
    return made
  }
}

extension Catalog {
  /// A comic's picture on a canvas, as a PNG file.
  /// - Parameters:
  ///   - number: which comic.
  ///   - canvas: its size and its greys.
  ///   - limit: the maximum wait. A comic's picture that comes later is still stored.
  /// - Throws: `CatalogError.absent` if there is none; `CatalogError.undecodable`.
  public func picture(
    of number: Comic.Number,
    on canvas: PictureCanvas,
    within limit: Duration = .seconds(20)
  ) async throws(CatalogError) -> PictureContent {
    let pictures = shown.pictures
    guard pictures.mayExist(of: number) else { throw .absent }
    return try await mappingErrors {
      guard
        let picture = try await withTimeout(limit, { try await pictures.picture(of: number, on: canvas) })
      else {
        throw UpstreamError.timedOut(.xkcd, subject: "picture of comic \(number.value)")
      }
      return picture
    }
  }
}
