// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxReaders
import LongboxStore

/// Renders feeds and the OPDS catalogue for their controllers; docs/feeds.md lists the addresses.
///
/// Feeds that are the same for all readers are rendered once, like pages. Errors are ``Problem``s.
struct FeedRenderer: Sendable {
  /// The maximum length of a search, in Unicode code points.
  static let searchLimit = 200
  /// Maximum number of missing comics that are fetched before a feed is sent: each takes two requests to
  /// xkcd, and the limit is two requests a second.
  private static let mostFetched = 4

  static var noFeed: Problem {
    Problem(.notFound, "There is no feed at this address. See /feeds for all feeds.")
  }

  private let catalog: Catalog
  /// Maximum wait for xkcd.
  private let timeout: Duration
  private let rendered: RenderedPages
  private let dates: ChangeDates
  private let site: SiteAddress

  init(
    catalog: Catalog,
    site: SiteAddress,
    rendered: RenderedPages,
    now: @escaping @Sendable () -> Date,
    timeout: Duration
  ) {
    self.catalog = catalog
    self.rendered = rendered
    self.timeout = timeout
    self.site = site
    dates = ChangeDates(now: now)
  }

  /// Serves a feed that is the same for all readers: rendered once, until the comics change.
  /// - Parameter day: the current day, if the feed changes every day.
  func shared(
    _ request: Hummingbird.Request,
    on day: CalendarDate? = nil,
    _ render: (_ origin: String) async throws -> RenderedFeed
  ) async throws -> Hummingbird.Response {
    let origin = try origin(of: request)
    let key = request.uri.string + (day.map { " \($0.iso8601)" } ?? "")
    if let body = rendered.page(at: key, variant: origin, generation: catalog.generation) {
      return body.response(to: request).openToAllSites
    }
    let feed = try await render(origin)
    let body = body(of: feed, cacheControl: "public, no-cache", at: origin + key)
    rendered.keep(body, at: key, variant: origin, generation: feed.generation)
    return body.response(to: request).openToAllSites
  }

  /// A feed as a body, with `Last-Modified`.
  func body(of feed: RenderedFeed, cacheControl: String, at address: String) -> EncodedBody {
    let body = EncodedBody(feed.bytes, mediaType: feed.mediaType, cacheControl: cacheControl)
    return body.modified(at: dates.date(of: body.tag, at: address))
  }

  /// Scheme, host, port and base path of the server, because the addresses in feeds must be absolute.
  func origin(of request: Hummingbird.Request) throws(Problem) -> String {
    guard let address = site.address(of: request.head) else {
      throw Problem(.badRequest, "The request does not say under which address this server was reached.")
    }
    return address.root
  }

  /// The current snapshot, after fetching some of the missing comics; the requests of a client take turns.
  func snapshot(having numbers: [Comic.Number], for client: ClientAddress) async -> Catalog.Snapshot {
    let archive = catalog.snapshot.archive
    let lacking = numbers.filter { number in
      guard let comic = archive.comic(number) else { return true }
      return comic.picture == nil && !comic.pictureAddress.isEmpty
    }
    await withTaskGroup { group in
      for number in lacking.prefix(Self.mostFetched) {
        group.addTask { [catalog, timeout] in
          try? await catalog.ensure(number, withPicture: true, within: timeout, for: client.description)
        }
      }
    }
    return catalog.snapshot
  }

  /// The entries of comics, in order; comics that are not stored are left out.
  /// - Throws: `Problem` if the store can't be read.
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

/// The `Last-Modified` date of the content at each address.
///
/// The dates of entries are not enough: removing a favorite doesn't make a feed newer. So this is the time
/// when this process first saw the content. After a restart, clients that compare dates download everything
/// once more.
struct ChangeDates: Sendable {
  private struct Change {
    var tag: EntityTag
    var date: Date
  }

  private let now: @Sendable () -> Date
  private let changes = MemoryCache<String, Change>(limit: 256 << 10)

  init(now: @escaping @Sendable () -> Date) {
    self.now = now
  }

  /// The time since when an address has the content with this tag.
  func date(of tag: EntityTag, at address: String) -> Date {
    if let change = changes[address], change.tag == tag { return change.date }
    let date = now()
    changes.insert(Change(tag: tag, date: date), for: address, cost: address.utf8.count + 64)
    return date
  }
}
