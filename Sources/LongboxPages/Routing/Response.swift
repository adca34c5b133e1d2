// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A page or a redirect.
public struct Response: Equatable, Sendable {
  /// How caches may store a response.
  public enum Caching: Equatable, Sendable {
    /// Store, but revalidate each time.
    case revalidate
    /// Don't store: the response is random, or a step of a quiz.
    case never
  }

  public var status: Int
  /// The page as UTF-8 HTML; empty for a redirect.
  public var body: [UInt8]
  /// The target of a redirect, or empty; a path is without the base path.
  public var location: Text
  /// How caches may store the response.
  public var caching: Caching
  /// The number of seconds after which the browser should reload the page.
  public var reload: Int?
  /// The comic that the page shows.
  public private(set) var viewed: Comic.Number?
  /// The artist that the page is about.
  let artist: RecentArtist?
  /// Whether the server may know more, because this host doesn't know the address.
  public let serverMayKnowMore: Bool
  /// Whether the body is the reader's library as a file, and not a page.
  public private(set) var isFile = false

  init(
    status: Int = 200,
    page: [UInt8],
    viewed: Comic.Number? = nil,
    artist: RecentArtist? = nil,
    serverMayKnowMore: Bool = false
  ) {
    self.status = status
    self.body = page
    self.location = .empty
    self.caching = .revalidate
    self.viewed = viewed
    self.artist = artist
    self.serverMayKnowMore = serverMayKnowMore
  }

  /// A page for an address that this host doesn't know.
  init(elsewhere status: Int, page: [UInt8]) {
    self.init(status: status, page: page, serverMayKnowMore: true)
  }

  init(file: LibraryDocument) {
    self.init(page: file.encoded)
    isFile = true
    caching = .never
  }

  init(_ page: AlbumPage, in frame: Frame) {
    self.init(status: page.status, page: frame.html(page), artist: page.artist)
    reload = page.reload
  }

  /// A redirect, permanent (301) or temporary (303).
  init(redirect status: Int, to link: Link) {
    self.init(status: status, page: [])
    self.location = link.address
    self.caching = status == 301 ? .revalidate : .never
  }

  /// A page saying that this needs a connection, with the saved albums, which don't.
  static func notOnDevice(
    in frame: Frame,
    saying sentence: Text = "This is not on this device.",
    back: BackLink? = nil
  ) -> Response {
    let body =
      p(.role("alert"), Attribute("data-waits")) { sentence + " Saved albums work offline." }
      + SavedAlbumList.section(of: frame.reader.library)
    var page = AlbumPage(name: "Albums", body: body, status: 503)
    page.back = back
    return Response(elsewhere: 503, page: frame.html(page))
  }
}
