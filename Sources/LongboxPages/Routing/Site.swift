// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What a site offers: a server everything, a static copy (`longbox publish`) less.
public struct Site: Equatable, Sendable {
  /// The pictures that a site has.
  public enum Pictures: UInt8, CaseIterable, Sendable {
    /// All that are known.
    case all = 0
    /// Thumbnails only; a comic's page links to xkcd.com.
    case thumbnails = 1
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

#if !hasFeature(Embedded)
/// Where the files of a static copy are.
///
/// A server's addresses have a version in their query, which a static host ignores. The copy's files have it in their
/// path, so that a file never changes its content.
public struct StaticFiles: Equatable, Sendable {
  /// The version of the web application's files.
  public var assetVersion: Text
  /// The policy that pages carry, since the host may send none.
  public var policy: Text
  /// The comics whose picture is no PNG, with its format.
  public var formats: [Comic.Number: PictureFacts.Format]

  /// Makes a description of the files.
  public init(assetVersion: Text, policy: Text, formats: [Comic.Number: PictureFacts.Format] = [:]) {
    self.assetVersion = assetVersion
    self.policy = policy
    self.formats = formats
  }

  /// The path of the file for an address, without the base path; nil if the path is that of the address.
  public func path(of address: Text) -> Text? {
    let parts = address.bytes.split(separator: UInt8(ascii: "?"), maxSplits: 1)
    let names = parts.first?.split(separator: UInt8(ascii: "/")).map { Text($0) } ?? []
    if names.count == 2, names[0] == "assets" { return "/assets/" + assetVersion + "/" + names[1] }
    guard names.count == 3, names[0] == "comics", let comic = names[1].number.flatMap({ Comic.Number($0) }),
      parts.count == 2, parts[1].starts(with: "v=".utf8)
    else { return nil }
    let version = Text(parts[1].dropFirst(2))
    switch names[2] {
    case "image": return picture(of: comic, version: version, doubleSize: false)
    case "image@2x": return picture(of: comic, version: version, doubleSize: true)
    case "thumbnail": return thumbnail(of: comic, version: version)
    default: return nil
    }
  }

  public func picture(of comic: Comic.Number, version: Text, doubleSize: Bool) -> Text {
    let ending: Text =
      switch formats[comic] ?? .png {
      case .png: ".png"
      case .jpeg: ".jpg"
      case .gif: ".gif"
      }
    return "/pictures/" + Text(decimal: comic.value) + "-" + version + (doubleSize ? "@2x" : .empty) + ending
  }

  public func thumbnail(of comic: Comic.Number, version: Text) -> Text {
    "/thumbnails/" + Text(decimal: comic.value) + "-" + version + ".webp"
  }
}
#endif
