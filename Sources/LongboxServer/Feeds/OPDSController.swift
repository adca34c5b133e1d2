// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxReaders

/// Serves the catalogue for comic reader apps (OPDS 1.2): `/opds` and everything below it.
struct OPDSController: Controller {
  private enum Part: Equatable {
    case root
    case latest
    case years
    /// The comics of a year, with the year as typed.
    case year(String)
    case search
    /// The OpenSearch 1.1 description.
    case searchDescription
  }

  /// The number of comics on a page.
  private static let pageLength = 50
  private static let mostPages = 10_000

  let catalog: Catalog
  let feeds: FeedRenderer
  let heavyWork: HeavyWork

  var errorFormat: ErrorFormat { .problem }

  var endpoints: [Endpoint] {
    [
      .get("opds") { try await answer(.root, $0, $1) },
      .get("opds/latest") { try await answer(.latest, $0, $1) },
      .get("opds/years") { try await answer(.years, $0, $1) },
      .get("opds/years/{year}") { try await answer(.year($1.parameters.require("year")), $0, $1) },
      .get("opds/search") { try await answer(.search, $0, $1) },
      .get("opds/search.xml") { try await answer(.searchDescription, $0, $1) },
      .get("opds/**") { _, _ in throw FeedRenderer.noFeed },
    ]
  }

  private func answer(
    _ part: Part,
    _ request: Hummingbird.Request,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    try await feeds.shared(request) { origin in try await render(part, request, origin, for: context.client) }
  }

  private func render(
    _ part: Part,
    _ request: Hummingbird.Request,
    _ origin: String,
    for client: ClientAddress
  ) async throws -> RenderedFeed {
    let snapshot = catalog.snapshot
    if part == .searchDescription {
      _ = try APIQuery(request, names: [])
      let template = origin + Link.catalogueSearch(template: "{searchTerms}").address.description
      return RenderedFeed(
        OpenSearchDescription(template: template).bytes,
        mediaType: OpenSearchDescription.mediaType,
        generation: snapshot.generation
      )
    }
    let latest = try snapshot.archive.newest()
    let feed =
      switch part {
      case .root, .searchDescription: try root(request, latest, in: snapshot.archive, origin)
      case .years: try years(request, latest, in: snapshot.archive, origin)
      case .latest, .year, .search: try await listing(part, request, in: snapshot, origin, for: client)
      }
    return RenderedFeed(OPDSDocument(feed: feed), generation: snapshot.generation)
  }

  private func root(
    _ request: Hummingbird.Request,
    _ latest: ArchivedComic,
    in archive: Archive,
    _ origin: String
  ) throws(Problem) -> OPDSFeed {
    _ = try APIQuery(request, names: [])
    let updated = latest.date?.startOfDayInUTC ?? Date(timeIntervalSince1970: 0)
    return OPDSFeed(
      .sections([
        .init(
          title: "Latest comics",
          summary: "All comics, the newest first.",
          address: origin + Link.catalogueOfLatest.address.description,
          kind: .acquisition,
          relation: "http://opds-spec.org/sort/new",
          updated: updated
        ),
        .init(
          title: "By year",
          summary: "All comics, in the order in which they came out.",
          address: origin + Link.catalogueOfYears.address.description,
          kind: .navigation,
          updated: updated
        ),
      ]),
      in: archive,
      named: .init(id: "opds", title: "xkcd", updated: updated),
      at: .init(origin: origin, link: .catalogue)
    )
  }

  private func years(
    _ request: Hummingbird.Request,
    _ latest: ArchivedComic,
    in archive: Archive,
    _ origin: String
  ) throws(Problem) -> OPDSFeed {
    _ = try APIQuery(request, names: [])
    var years: [(year: Int, count: Int, last: CalendarDate)] = []
    archive.visit { comic in
      guard let date = comic.date else { return true }
      if let index = years.firstIndex(where: { $0.year == date.year }) {
        years[index].count += 1
        years[index].last = date
      } else {
        years.append((date.year, 1, date))
      }
      return true
    }
    let sections = years.sorted { $0.year > $1.year }.map { year in
      OPDSFeed.Section(
        title: "\(year.year)",
        summary: year.count == 1 ? "1 comic" : "\(year.count) comics",
        address: origin + Link.catalogue(ofYear: year.year).address.description,
        kind: .acquisition,
        updated: year.last.startOfDayInUTC ?? Date(timeIntervalSince1970: 0)
      )
    }
    return OPDSFeed(
      .sections(sections),
      in: archive,
      named: .init(id: "opds/years", title: "xkcd by year", updated: latest.date?.startOfDayInUTC),
      at: .init(origin: origin, link: .catalogueOfYears, up: .catalogue)
    )
  }

  /// A page of a part that lists comics.
  private func listing(
    _ part: Part,
    _ request: Hummingbird.Request,
    in snapshot: Catalog.Snapshot,
    _ origin: String,
    for client: ClientAddress
  ) async throws -> OPDSFeed {
    let query = try APIQuery(request, names: part == .search ? ["q", "page"] : ["page"])
    let page = try query.number("page", in: 1...Self.mostPages, default: 1)
    let list = try await list(part, query, in: snapshot, for: client)
    let start = (page - 1) * Self.pageLength
    guard page == 1 || start < list.numbers.count else {
      throw Problem(.notFound, "The list has fewer pages.", parameter: "page")
    }
    let shown = Array(list.numbers.dropFirst(start).prefix(Self.pageLength))
    let entries = try await feeds.entries(of: shown, in: snapshot.archive, origin)
    // Apps can't show comics whose record names the picture of another comic.
    let publications = entries.filter { $0.picture != nil }.map { entry in
      let book = origin + Link.comicBook(entry.number).address.description
      return OPDSFeed.Publication(entry: entry, comicBook: book)
    }
    func address(ofPage page: Int) -> String? {
      guard page >= 1, (page - 1) * Self.pageLength < max(1, list.numbers.count) else { return nil }
      let link = list.link.address.description
      return page == 1 ? link : link + (link.contains("?") ? "&" : "?") + "page=\(page)"
    }
    var feed = OPDSFeed(
      .publications(publications),
      in: snapshot.archive,
      named: list.name,
      at: .init(origin: origin, link: list.link, up: list.up)
    )
    feed.address = origin + (address(ofPage: page) ?? "")
    feed.previous = address(ofPage: page - 1).map { origin + $0 }
    feed.next = address(ofPage: page + 1).map { origin + $0 }
    feed.total = list.numbers.count
    feed.pageLength = Self.pageLength
    return feed
  }

  /// The comics of a part; comics without a picture are left out, because apps can't show them.
  private func list(
    _ part: Part,
    _ query: APIQuery,
    in snapshot: Catalog.Snapshot,
    for client: ClientAddress
  ) async throws -> (numbers: [Comic.Number], name: OPDSFeed.Name, link: Link, up: Link) {
    var numbers: [Comic.Number] = []
    func collect(where isWanted: (ArchivedComic) -> Bool) {
      snapshot.archive.visit { comic in
        if isWanted(comic), comic.hasPicture { numbers.append(comic.number) }
        return true
      }
    }
    switch part {
    case .year(let text):
      guard let year = APIQuery.number(text, in: 1...9999) else {
        throw Problem(.badRequest, "This has to be a year such as 2012.", parameter: "year")
      }
      collect { $0.date?.year == year }
      guard !numbers.isEmpty else {
        throw Problem(.notFound, "No comic came out in \(year).", parameter: "year")
      }
      return (
        numbers, .init(id: "opds/years/\(year)", title: "xkcd in \(year)"), .catalogue(ofYear: year),
        .catalogueOfYears
      )
    case .search:
      let words = try query.text("q", atMost: FeedRenderer.searchLimit)
      let question = SearchQuestion(text: words, limit: Self.mostSearched)
      let isHeavy = HeavyWork.isHeavy(searchFor: words)
      let found = try await heavyWork.run(for: client, if: isHeavy) { snapshot.search.results(for: question) }
      numbers = found.hits.map(\.number)
        .filter { snapshot.archive.comic($0)?.hasPicture ?? false }
      let link = Link.catalogueSearch(words)
      return (numbers, .init(id: "opds/search/\(words)", title: "xkcd: \(words)"), link, .catalogue)
    case .root, .years, .latest, .searchDescription:
      collect { _ in true }
      return (
        numbers.reversed(), .init(id: "opds/latest", title: "xkcd, the latest"), .catalogueOfLatest,
        .catalogue
      )
    }
  }

  /// The maximum number of search results, over all pages.
  private static let mostSearched = 500
}

extension ArchivedComic {
  fileprivate var hasPicture: Bool { !pictureAddress.isEmpty }
}
