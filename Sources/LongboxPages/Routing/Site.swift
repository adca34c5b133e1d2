// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// What a site offers: a server everything, a static copy (`longbox publish`) less.
public struct Site: Equatable, Sendable {
  /// The pictures that a site has.
  public enum Pictures: UInt8, CaseIterable, Sendable {
    /// All that are known.
    case all = 0
    /// Thumbnails only; a comic's page links to xkcd.com.
    case thumbnails = 1
    /// None.
    case none = 2

    /// The value of the attribute `data-copy`, which scripts read.
    var word: StaticString {
      switch self {
      case .all: "all"
      case .thumbnails: "thumbnails"
      case .none: "none"
      }
    }
  }

  /// Whether it consists of files, and so has no sync, pairing, notifications, albums or feeds.
  public var isStaticCopy: Bool
  /// The pictures that it has.
  public var pictures: Pictures

  /// Makes a description, by default of a server.
  public init(isStaticCopy: Bool = false, pictures: Pictures = .all) {
    self.isStaticCopy = isStaticCopy
    self.pictures = pictures
  }

  /// Whether the site has such pages.
  func offers(_ route: Route) -> Bool {
    guard isStaticCopy else { return true }
    switch route {
    case .artists, .discography, .album, .savedAlbums, .quiz, .server: return false
    default: return true
    }
  }

  /// Whether a page can show a comic's picture.
  func shows(_ picture: ComicPage.Picture) -> Bool {
    switch picture {
    case .known: pictures == .all
    case .unknown: !isStaticCopy
    case .none, .wrong: false
    }
  }

  /// The facts of a comic's picture whose thumbnail the site has; nil also if the picture is another comic's.
  func thumbnail(of comic: ArchivedComic, in archive: Archive) -> PictureFacts? {
    guard pictures != .none, case .known(let facts) = ComicPage.picture(of: comic, in: archive) else {
      return nil
    }
    return facts
  }
}
