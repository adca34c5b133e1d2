// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxStore

/// Renders what feed readers and comic reader apps ask for, for the controllers of feeds; docs/feeds.md lists the addresses.
///
/// What everybody gets is rendered once for all, as pages are. Errors are ``Problem``s.
struct FeedRenderer: Sendable {
  /// The longest search, in Unicode code points.
  static let searchLimit = 200
  /// Of the comics that a feed lacks no more are fetched before it is sent: each is two requests to a source that is asked
  /// twice a second.
  private static let mostFetched = 4

  /// Refuses an address below those of feeds.
  static var noFeed: Problem {
    Problem(.notFound, "There is no feed at this address. /feeds tells what there is.")
  }

  private let catalog: Catalog
  /// How long to wait for a source.
  private let patience: Duration
  private let rendered: RenderedPages
  private let dates: ChangeMoments

  init(
    catalog: Catalog,
    rendered: RenderedPages,
    now: @escaping @Sendable () -> Date,
    patience: Duration
  ) {
    self.catalog = catalog
    self.rendered = rendered
    self.patience = patience
    dates = ChangeMoments(now: now)
  }

  /// What everybody gets at an address: rendered once, until the comics change.
  /// - Parameters:
  ///   - request: the request.
  ///   - day: the day, where each day has another one.
  ///   - render: makes it.
  func shared(
    _ request: Hummingbird.Request,
    on day: CalendarDate? = nil,
    _ render: (_ origin: String) async throws -> RenderedFeed
  ) async throws -> Hummingbird.Response {
    let origin = try origin(of: request)
    let key = request.uri.string + (day.map { " \($0.iso8601)" } ?? "")
    if let body = rendered.page(at: key, origin: origin, generation: catalog.generation) {
      return open(body.response(to: request))
    }
    let feed = try await render(origin)
    let body = body(of: feed, cacheControl: "public, no-cache", at: origin + key)
    rendered.keep(body, at: key, origin: origin, generation: feed.generation)
    return open(body.response(to: request))
  }

  /// A feed as a body, with the date since when its address has this content.
  func body(of feed: RenderedFeed, cacheControl: String, at address: String) -> EncodedBody {
    let body = EncodedBody(feed.bytes, mediaType: feed.mediaType, cacheControl: cacheControl)
    return body.modified(at: dates.moment(of: body.tag, at: address))
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

  /// The entries of comics, in their order; those that are not stored are left out.
  /// - Throws: `Problem` where the store can't be read.
  func entries(
    of numbers: [Comic.Number],
    in archive: Archive,
    _ origin: String
  ) async throws(Problem) -> [FeedEntry] {
    do throws(CatalogError) {
      let dates = try await catalog.changeDates(of: numbers)
      return numbers.compactMap { number in
        archive.comic(number).map { FeedEntry($0, in: archive, changed: dates[number], origin: origin) }
      }
    } catch {
      throw Problem(error)
    }
  }
}
