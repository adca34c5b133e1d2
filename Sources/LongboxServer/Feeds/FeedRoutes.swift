// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxStore

/// Answers feed readers and comic reader apps; docs/feeds.md tells at which addresses.
///
/// What everybody gets is rendered once for all, as pages are. What goes wrong is a ``Problem``.
struct FeedRoutes: Sendable {
  /// How many comics a feed has.
  static let length = 20
  /// How many comics the feed of a reader's favourites has.
  static let favoritesLength = 50
  /// The longest search, in Unicode code points.
  static let searchLimit = 200
  /// Of the comics that a feed lacks no more are fetched before it is sent: each is two requests to a source that is asked
  /// twice a second.
  private static let mostFetched = 4

  let catalog: Catalog
  let store: Store
  let libraries: Libraries
  let pages: PageRoutes
  let now: @Sendable () -> Date
  /// How long a source is waited for.
  let patience: Duration
  private let rendered: RenderedPages
  private let dates: ChangeMoments

  init(
    catalog: Catalog,
    store: Store,
    libraries: Libraries,
    rendered: RenderedPages,
    pages: PageRoutes,
    now: @escaping @Sendable () -> Date,
    patience: Duration
  ) {
    self.catalog = catalog
    self.store = store
    self.libraries = libraries
    self.rendered = rendered
    self.pages = pages
    self.now = now
    self.patience = patience
    dates = ChangeMoments(now: now)
  }

  /// Answers a request.
  /// - Throws: `Problem`, which says what was wrong; `StoreError` where the disk fails.
  func answer(_ route: FeedRoute, _ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    switch route {
    case .page: return try await page(request)
    case .favoritesForm: return try await favoritesForm(request)
    case .favorites(let token, let format): return try await favorites(token, format, request)
    case .comicBook(let number): return try await comicBook(number, request)
    case .unknown: throw Problem(.notFound, "There is no feed at this address. /feeds tells what there is.")
    case .comics(let format):
      return try await shared(request) { origin in try await comics(format, request, origin) }
    case .rerun(let first, let start, let format):
      // Each day it is another one.
      return try await shared(request, on: CalendarDate(time: now().milliseconds)) { origin in
        try await rerun(first, start, format, request, origin)
      }
    case .catalogue(let route):
      return try await shared(request) { origin in try await catalogue(route, request, origin) }
    }
  }

  /// What everybody gets at an address: rendered once, until the comics change.
  private func shared(
    _ request: Hummingbird.Request,
    on day: CalendarDate? = nil,
    _ render: (_ origin: String) async throws -> RenderedFeed
  ) async throws -> Hummingbird.Response {
    let origin = try origin(of: request)
    let key = request.uri.string + (day.map { " \($0.iso8601)" } ?? "")
    if let payload = rendered.page(at: key, origin: origin, generation: catalog.generation) {
      return open(payload.response(to: request))
    }
    let feed = try await render(origin)
    let payload = payload(feed, cacheControl: "public, no-cache", at: origin + key)
    rendered.keep(payload, at: key, origin: origin, generation: feed.generation)
    return open(payload.response(to: request))
  }

  func payload(_ feed: RenderedFeed, cacheControl: String, at address: String) -> Payload {
    let payload = Payload(feed.bytes, mediaType: feed.mediaType, cacheControl: cacheControl)
    return payload.modified(at: dates.moment(of: payload.tag, at: address))
  }

  /// Lets feed readers that are pages of other sites read an answer (CORS); nobody's cookie is looked at.
  func open(_ response: Hummingbird.Response) -> Hummingbird.Response {
    var response = response
    response.headers[.accessControlAllowOrigin] = "*"
    return response
  }

  /// Scheme, host and port by which the server was reached, for the addresses in feeds have to be absolute.
  func origin(of request: Hummingbird.Request) throws(Problem) -> String {
    guard let address = PublicAddress(of: request) else {
      throw Problem(.badRequest, "The request does not say under which address this server was reached.")
    }
    return address.origin
  }

  /// What there is now, once some of the comics that it lacks were fetched.
  func snapshot(having numbers: [Comic.Number]) async -> Catalog.Snapshot {
    let archive = catalog.snapshot.archive
    let lacking = numbers.filter { number in
      guard let comic = archive.comic(number) else { return true }
      return comic.picture == nil && !comic.pictureAddress.isEmpty
    }
    await withTaskGroup { group in
      for number in lacking.prefix(Self.mostFetched) {
        group.addTask { [catalog, patience] in
          try? await catalog.ensure(number, withPicture: true, within: patience)
        }
      }
    }
    return catalog.snapshot
  }
}

/// A feed or a part of the catalogue in bytes.
struct RenderedFeed: Sendable {
  var bytes: [UInt8]
  var mediaType: String
  /// Of what was shown in it.
  var generation: Int

  init(_ bytes: [UInt8], mediaType: String, generation: Int) {
    self.bytes = bytes
    self.mediaType = mediaType
    self.generation = generation
  }

  init(_ feed: Feed, as format: FeedFormat, generation: Int) throws {
    switch format {
    case .atom:
      self.init(AtomDocument(feed: feed).bytes, mediaType: AtomDocument.mediaType, generation: generation)
    case .json:
      try self.init(
        JSONFeedDocument(feed).bytes,
        mediaType: JSONFeedDocument.mediaType,
        generation: generation
      )
    }
  }

  init(_ document: CatalogueDocument, generation: Int) {
    self.init(document.bytes, mediaType: document.mediaType, generation: generation)
  }
}
