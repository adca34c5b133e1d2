// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxPush
import LongboxReaders
import LongboxStore

/// Serves what a reader's secret address opens, a feed of favorites and a catalogue of their own, and creates and revokes the
/// address.
struct FavoritesFeedController: Controller {
  /// The number of comics in the feed.
  private static let length = 50

  /// A part of a reader's catalogue.
  private enum Part {
    case root
    case favorites
    case unread
  }

  let store: Store
  let libraries: Libraries
  let feeds: FeedRenderer
  let heavyWork: HeavyWork
  let books: ComicBookPress
  let now: @Sendable () -> Date

  var errorFormat: ErrorFormat { .problem }

  var endpoints: [Endpoint] {
    [
      .get("feeds/favorites") { request, _ in redirect(as: nil, request) },
      .post("feeds/favorites") { try await change($0, $1) },
      .get("feeds/{token}.atom") {
        try await favorites($1.parameters.require("token"), .atom, $0, $1.client)
      },
      .get("feeds/{token}.json") {
        try await favorites($1.parameters.require("token"), .json, $0, $1.client)
      },
      .get("feeds/{token}/opds") { try await catalogue(.root, $0, $1) },
      .get("feeds/{token}/opds/favorites") { try await catalogue(.favorites, $0, $1) },
      .get("feeds/{token}/opds/unread") { try await catalogue(.unread, $0, $1) },
      .get("feeds/{token}/opds/favorites.cbz") { try await book($0, $1) },
    ]
  }

  /// Serves a reader's favorites, newest first: `/feeds/TOKEN.atom`.
  ///
  /// Notes are private and are left out.
  private func favorites(
    _ token: String,
    _ format: FeedFormat,
    _ request: Hummingbird.Request,
    _ client: ClientAddress
  ) async throws -> Hummingbird.Response {
    let origin = try feeds.origin(of: request)
    _ = try APIQuery(request, names: [])
    let feed = try await feed(token)
    let favorites = try await favorites(of: libraries.library(feed.library), for: client).prefix(Self.length)
    let numbers = favorites.map(\.comic)
    let snapshot = await feeds.snapshot(having: numbers, for: client)
    let added = Dictionary(uniqueKeysWithValues: favorites.map { ($0.comic, Date(milliseconds: $0.added)) })
    let entries = try await feeds.entries(of: numbers, in: snapshot.archive, origin).map { entry in
      var entry = entry
      if let date = added[entry.number] { entry.updated = max(entry.updated, min(date, now())) }
      return entry
    }
    let rendered = try RenderedFeed(
      Feed(
        entries,
        in: snapshot.archive,
        named: .init(
          id: StableIdentifier.of(feed.identifier),
          title: "Favorites from xkcd",
          subtitle: "The comics that a reader likes.",
          updated: feed.createdAt
        ),
        at: .init(
          origin: origin,
          page: .favorites,
          link: .favoritesFeed(format, token: Text(string: token))
        )
      ),
      as: format,
      generation: snapshot.generation
    )
    let body = feeds.body(of: rendered, cacheControl: "private, no-cache", at: origin + request.uri.path)
    return body.response(to: request).openToAllSites
  }

  /// The feed with a token.
  private func feed(_ token: String) async throws -> FavoritesFeed {
    guard FavoritesToken.isOne(token), let feed = try await store.feeds.favoritesFeed(token) else {
      throw Problem(
        .notFound,
        "There is no feed at this address. If it was one of favorites, it was removed, or a new address was made."
      )
    }
    return feed
  }

  // MARK: The catalogue

  /// Serves a part of a reader's catalogue: `/feeds/TOKEN/opds` and below.
  private func catalogue(
    _ part: Part,
    _ request: Hummingbird.Request,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    let origin = try feeds.origin(of: request)
    let query = try APIQuery(request, names: part == .root ? [] : ["page"])
    let page = try query.number("page", in: 1...OPDSList.mostPages, default: 1)
    let feed = try await feed(context.parameters.require("token"))
    let snapshot = await feeds.snapshot(having: [], for: context.client)
    let shown =
      if part == .root { try root(feed, in: snapshot.archive, origin) } else {
        try await list(part, of: feed, in: snapshot.archive, for: context.client)
          .feed(ofPage: page, in: snapshot.archive, by: feeds, origin)
      }
    let rendered = RenderedFeed(OPDSDocument(feed: shown), generation: snapshot.generation)
    let body = feeds.body(of: rendered, cacheControl: "private, no-cache", at: origin + request.uri.string)
    return body.response(to: request).openToAllSites
  }

  private func root(_ feed: FavoritesFeed, in archive: Archive, _ origin: String) throws(Problem) -> OPDSFeed
  {
    let token = Text(string: feed.token)
    let updated = max(feed.createdAt, try archive.newest().date?.startOfDayInUTC ?? feed.createdAt)
    func section(_ title: String, _ summary: String, _ link: Link, _ kind: OPDSFeed.Kind) -> OPDSFeed.Section
    {
      .init(
        title: title,
        summary: summary,
        address: origin + link.address.description,
        kind: kind,
        updated: updated
      )
    }
    return OPDSFeed(
      .sections([
        section(
          "Favorites",
          "Your favorites, the newest first.",
          .catalogueOfFavorites(ofReader: token),
          .acquisition
        ),
        section(
          "Unread",
          "What you have not read, the oldest first.",
          .catalogueOfUnread(ofReader: token),
          .acquisition
        ),
        section("All comics", "The whole catalogue.", .catalogue, .navigation),
      ]),
      in: archive,
      named: .init(id: "opds/readers/\(feed.identifier)", title: "My xkcd", updated: updated),
      at: .init(origin: origin, link: .catalogue(ofReader: token), up: .catalogue)
    )
  }

  private func list(
    _ part: Part,
    of feed: FavoritesFeed,
    in archive: Archive,
    for client: ClientAddress
  ) async throws -> OPDSList {
    let token = Text(string: feed.token)
    let library = try await libraries.library(feed.library)
    if part == .unread {
      let numbers = try await heavyWork.run(for: client, if: Self.isLarge(library)) {
        let marks = library.readMarks
        return OPDSController.numbers(in: archive) { !marks.isRead($0.number) }
      }
      return OPDSList(
        numbers: numbers,
        name: .init(id: "opds/readers/\(feed.identifier)/unread", title: "Unread from xkcd"),
        link: .catalogueOfUnread(ofReader: token),
        up: .catalogue(ofReader: token)
      )
    }
    let favorites = try await favorites(of: library, for: client)
    return OPDSList(
      numbers: favorites.map(\.comic).filter { archive.comic($0)?.isInCatalogue ?? false },
      name: .init(
        id: "opds/readers/\(feed.identifier)/favorites",
        title: "Favorites from xkcd",
        updated: feed.createdAt
      ),
      link: .catalogueOfFavorites(ofReader: token),
      up: .catalogue(ofReader: token),
      book: .comicBookOfFavorites(ofReader: token)
    )
  }

  /// The favorites, newest first.
  private func favorites(of library: Library, for client: ClientAddress) async throws -> [Favorite] {
    try await heavyWork.run(for: client, if: Self.isLarge(library)) { library.favorites }
  }

  private static func isLarge(_ library: Library) -> Bool { library.entries.count > HeavyWork.largeLibrary }

  /// Sends a reader's favorites as one comic book: `/feeds/TOKEN/opds/favorites.cbz`.
  private func book(
    _ request: Hummingbird.Request,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    let query = try APIQuery(request, names: ["page"])
    let index = try query.number("page", in: 1...OPDSList.mostPages, default: 1)
    let feed = try await feed(context.parameters.require("token"))
    let archive = await feeds.snapshot(having: [], for: context.client).archive
    let list = try await list(.favorites, of: feed, in: archive, for: context.client)
    guard !list.numbers.isEmpty else { throw Problem(.notFound, "There are no favorites yet.") }
    return try books.response(
      with: list,
      volume: index,
      in: archive,
      cacheControl: "private, no-store",
      for: context
    )
  }

  // MARK: The address

  /// Creates a new address for a reader's favorites, which replaces the old one, or revokes it.
  /// - Throws: `HTTPError` if the form comes from another site; `StoreError`.
  private func change(
    _ request: Hummingbird.Request,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    let form = try await FormFields(of: request, context)
    switch form["action"]?.description {
    case "make":
      let cookie = LibraryCookie(of: request) ?? LibraryCookie()
      // The feed ends with its library.
      try await libraries.make(cookie.libraryName, for: context.client, isSignedIn: context.isSignedIn)
      let feed = FavoritesFeed(
        token: FavoritesToken.new(),
        library: cookie.libraryName,
        createdAt: now()
      )
      try await store.feeds.saveFavoritesFeed(feed)
      return redirect(as: cookie, request)
    case "revoke":
      guard let cookie = LibraryCookie(of: request) else { return redirect(as: nil, request) }
      try await store.feeds.removeFavoritesFeeds(of: cookie.libraryName)
      return redirect(as: cookie, request)
    default:
      throw Problem(.badRequest, "This has to be make or revoke.", parameter: "action")
    }
  }

  private func redirect(as cookie: LibraryCookie?, _ request: Hummingbird.Request) -> Hummingbird.Response {
    Hummingbird.Response.seeOther(.feeds, fragment: "#favorites").setting(cookie, to: request)
  }
}

/// The secret part of the address of a favorites feed: 128 random bits, unrelated to the library's key.
enum FavoritesToken {
  private static let byteCount = 16
  private static let length = 22

  static func new() -> String {
    var random = SystemRandomNumberGenerator()
    return Base64URL.encode((0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  /// Whether a text has the form of a token.
  static func isOne(_ text: String) -> Bool {
    text.utf8.count == length
      && text.utf8.allSatisfy {
        $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
  }
}

extension Date {
  fileprivate init(milliseconds: UInt64) {
    self.init(timeIntervalSince1970: TimeInterval(milliseconds) / 1000)
  }
}
