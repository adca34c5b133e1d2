// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What a reader gets: a page, or an address to go to.
public struct Response: Equatable, Sendable {
  /// How long caches may keep an answer.
  public enum Keeping: Equatable, Sendable {
    /// Ask again each time, but with the validator of what is kept.
    case revalidate
    /// Not at all: it is random, or a turn of a quiz.
    case never
  }

  /// The HTTP status.
  public var status: Int
  /// The page, as UTF-8 HTML; empty for a redirect.
  public var body: [UInt8]
  /// Where to go instead, or empty.
  public var location: Text
  /// How long the answer may be kept.
  public var keeping: Keeping
  /// After how many seconds the browser should load the page again.
  public var reload: Int?
  /// The comic that the page shows, where it shows one.
  public private(set) var viewed: Comic.Number?
  /// The artist that the page is about, where it is about one.
  let artist: RecentArtist?
  /// Whether the server may know more: nothing is known here of the address.
  public let isElsewhere: Bool

  /// A page.
  init(
    status: Int = 200,
    page: HTML,
    viewed: Comic.Number? = nil,
    artist: RecentArtist? = nil,
    isElsewhere: Bool = false
  ) {
    self.status = status
    self.body = page.bytes
    self.location = .empty
    self.keeping = .revalidate
    self.viewed = viewed
    self.artist = artist
    self.isElsewhere = isElsewhere
  }

  /// A page that says that nothing is known of the address.
  init(elsewhere status: Int, page: HTML) {
    self.init(status: status, page: page, isElsewhere: true)
  }

  /// A page about albums.
  init(_ page: AlbumPage, in frame: Frame) {
    self.init(status: page.status, page: frame.html(page), artist: page.artist)
    reload = page.reload
  }

  /// A redirect: 301 for good, 303 for this once.
  init(redirect status: Int, to link: Link) {
    self.init(status: status, page: HTML())
    self.location = link.address
    self.keeping = status == 301 ? .revalidate : .never
  }

  /// The page that says that something can't be had without a connection.
  static func notHere(in frame: Frame) -> Response {
    let body = p(.role("alert"), Attribute("data-waits")) {
      "This is not on this device. "
      a(.href(.savedAlbums)) { "The albums that you saved" }
      " are; the others can be seen when you are back online."
    }
    return Response(elsewhere: 503, page: frame.html(AlbumPage(name: "Albums", body: body, status: 503)))
  }
}
