// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

#if !hasFeature(Embedded)

/// The metadata of a shared link: Open Graph (ogp.me), Twitter card, and the oEmbed address.
///
/// Its addresses are absolute, so only a server with a known public address makes it. It omits the alt text.
struct ShareCard {
  struct Picture: Equatable {
    var link: Link
    var width: Int
    var height: Int
    var name: Text
  }

  /// Scheme, host and port, such as `https://comics.example`.
  let origin: Text
  let address: Text
  let title: Text
  let abstract: Text
  let picture: Picture?

  /// Makes the card of a page; nil if the server's or the page's address is unknown.
  init?(of page: AnyPage, origin: Text) {
    guard !origin.isEmpty, let canonical = page.canonical else { return nil }
    self.origin = origin
    address = origin + canonical.address
    title = page.title
    abstract = page.abstract
    picture = page.sharedPicture
  }

  @HTMLBuilder var html: HTML {
    property("og:site_name", "Longbox")
    property("og:type", picture == nil ? "website" : "article")
    property("og:title", title.withoutDirectionMarks)
    property("og:url", address)
    if !abstract.isEmpty { property("og:description", abstract) }
    if let picture {
      property("og:image", origin + picture.link.address)
      property("og:image:width", Text(decimal: picture.width))
      property("og:image:height", Text(decimal: picture.height))
      property("og:image:alt", picture.name)
      meta(Attribute("name", "twitter:card"), Attribute("content", "summary_large_image"))
      link(
        Attribute("rel", "alternate"),
        Attribute("type", "application/json+oembed"),
        .href(.external(origin + Link.embedding(of: address).address)),
        .title(title)
      )
    }
  }

  private func property(_ name: StaticString, _ content: Text) -> HTML {
    meta(Attribute("property", name), Attribute("content", content))
  }
}

/// Links to feeds in a page's head; feed readers offer the first one.
struct FeedLinks {
  private let feed: ((FeedFormat) -> Link)?
  private let isThere: Bool

  init(_ feed: ((FeedFormat) -> Link)?, on context: PageContext) {
    self.feed = feed
    isThere = context.hasFeeds
  }

  @HTMLBuilder var html: HTML {
    if isThere {
      for format in [FeedFormat.atom, .json] {
        if let feed { alternate(feed(format), format, "This search") }
        alternate(.feed(format), format, "xkcd")
      }
    }
  }

  private func alternate(_ feed: Link, _ format: FeedFormat, _ title: StaticString) -> HTML {
    link(
      Attribute("rel", "alternate"),
      Attribute("type", format == .json ? "application/feed+json" : "application/atom+xml"),
      .title(title),
      .href(feed)
    )
  }
}
#endif

/// A comic embedded in another site: its picture, fitted to a size, with link and credit.
public struct EmbeddedComic: Equatable, Sendable {
  /// The maximum size in pixels.
  public struct MaxSize: Equatable, Sendable {
    /// The maximum width; nil for no limit.
    public var width: Int?
    /// The maximum height; nil for no limit.
    public var height: Int?

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
