// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A comic as it stands inside a page of somebody else's: its picture, no larger than there is room, a link, and whose it is.
public struct EmbeddedComic: Equatable, Sendable {
  /// The room that there is, in pixels; nothing where there is enough.
  public struct Room: Equatable, Sendable {
    /// The greatest width.
    public var width: Int?
    /// The greatest height.
    public var height: Int?

    /// Makes a room.
    public init(width: Int? = nil, height: Int? = nil) {
      self.width = width
      self.height = height
    }
  }

  /// The title as on the comic's own page.
  public let title: Text
  /// The picture's address, without the origin.
  public let picture: Text
  /// The width at which it is shown, in pixels.
  public let width: Int
  /// The height at which it is shown, in pixels.
  public let height: Int
  /// Whether that is the picture's own size.
  public let isWhole: Bool
  private let comic: Comic.Number
  private let name: Text

  /// Fits a comic into a room; nothing where no picture can stand for it.
  public init?(_ comic: ArchivedComic, in archive: Archive, room: Room) {
    let page = ComicPage(comic, in: archive)
    guard case .known(let facts) = page.picture, facts.width > 0, facts.height > 0 else { return nil }
    self.comic = comic.number
    title = page.title
    name = page.pictureName
    picture = Link.picture(comic.number, doubleSize: false, version: facts.versionText).address
    let width = min(facts.width, room.width ?? .max)
    let height = min(facts.height, room.height ?? .max)
    isWhole = width == facts.width && height == facts.height
    // Whichever side has less room decides.
    if width * facts.height <= height * facts.width {
      self.width = width
      self.height = max(1, width * facts.height / facts.width)
    } else {
      self.width = max(1, height * facts.width / facts.height)
      self.height = height
    }
  }

  /// The comic as HTML, for where the picture itself is too large.
  /// - Parameter origin: scheme, host and port of this server.
  public func html(origin: Text) -> HTML {
    a(.href(.external(origin + Link.comic(comic).address))) {
      img(
        .src(.external(origin + picture)),
        .alt(name + ", xkcd by Randall Munroe, CC BY-NC 2.5"),
        Attribute("width", width),
        Attribute("height", height)
      )
    }
  }
}
