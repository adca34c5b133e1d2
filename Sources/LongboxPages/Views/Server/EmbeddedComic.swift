// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A comic embedded in another site: its picture, fitted to a size, with link and credit.
public struct EmbeddedComic: Equatable, Sendable {
  /// The maximum size in pixels.
  public struct MaxSize: Equatable, Sendable {
    /// The maximum width; nil for no limit.
    public var width: Int?
    /// The maximum height; nil for no limit.
    public var height: Int?

    /// Makes a size.
    public init(width: Int? = nil, height: Int? = nil) {
      self.width = width
      self.height = height
    }
  }

  /// The title, as on the comic's page.
  public let title: Text
  /// The picture's address, without the origin.
  public let picture: Text
  /// The display width in pixels.
  public let width: Int
  /// The display height in pixels.
  public let height: Int
  /// Whether the picture has its original size.
  public let isWhole: Bool
  private let comic: Comic.Number
  private let name: Text
  private let isSample: Bool

  /// Fits a comic into a size; nil if it has no picture.
  public init?(_ comic: ArchivedComic, in archive: Archive, maxSize: MaxSize) {
    let page = ComicPage(comic, in: archive)
    guard case .known(let facts) = page.picture, facts.width > 0, facts.height > 0 else { return nil }
    self.comic = comic.number
    title = page.title
    name = page.pictureName
    isSample = page.isSample
    picture = Link.picture(comic.number, doubleSize: false, version: facts.versionText).address
    let width = min(facts.width, maxSize.width ?? .max)
    let height = min(facts.height, maxSize.height ?? .max)
    isWhole = width == facts.width && height == facts.height
    // The tighter side determines the scale.
    if width * facts.height <= height * facts.width {
      self.width = width
      self.height = max(1, width * facts.height / facts.width)
    } else {
      self.width = max(1, height * facts.width / facts.height)
      self.height = height
    }
  }

  /// The scaled comic as HTML, for use where the full picture doesn't fit.
  /// - Parameter origin: the address below which the server's pages are, without a slash at the end.
  public func html(origin: Text) -> HTML {
    a(.href(.external(origin + Link.comic(comic).address))) {
      img(
        .src(.external(origin + picture)),
        .alt(name + (isSample ? ", a sample drawn for Longbox" : ", xkcd by Randall Munroe, CC BY-NC 2.5")),
        Attribute("width", width),
        Attribute("height", height)
      )
    }
  }
}
