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
    case topics
    /// The comics of a character or topic, with its key as typed.
    case topic(String)
    case search
    /// The OpenSearch 1.1 description.
    case searchDescription
  }

  let catalog: Catalog
  let feeds: FeedRenderer
  let heavyWork: HeavyWork
  let books: ComicBookPress

  var errorFormat: ErrorFormat { .problem }

  var endpoints: [Endpoint] {
    [
      .get("opds") { try await answer(.root, $0, $1) },
      .get("opds/latest") { try await answer(.latest, $0, $1) },
      .get("opds/years") { try await answer(.years, $0, $1) },
      .get("opds/years/{year}.cbz") { try book(ofYear: $1.parameters.require("year"), $0, $1) },
      .get("opds/topics") { try await answer(.topics, $0, $1) },
      .get("opds/topics/{topic}") { try await answer(.topic($1.parameters.require("topic")), $0, $1) },
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
      let template = origin + Link.catalogueSearchTemplate.address.description
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
      case .topics: try topics(request, latest, in: snapshot.archive, origin)
      case .latest, .year, .topic, .search:
        try await listing(part, request, in: snapshot, origin, for: client)
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
    var sections: [OPDSFeed.Section] = [
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
    ]
    if !archive.topics.isEmpty {
      sections.append(
        .init(
          title: "Characters and topics",
          summary: "Who and what the comics are about.",
          address: origin + Link.catalogueOfTopics.address.description,
          kind: .navigation,
          updated: updated
        )
      )
    }
    return OPDSFeed(
      .sections(sections),
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

  /// Characters, those with the most comics first, and then all other topics.
  private func topics(
    _ request: Hummingbird.Request,
    _ latest: ArchivedComic,
    in archive: Archive,
    _ origin: String
  ) throws(Problem) -> OPDSFeed {
    _ = try APIQuery(request, names: [])
    let topics = archive.topics
    let characters = topics.filter { $0.topic.kind == .character }.sorted { $0.count > $1.count }
    let updated = latest.date?.startOfDayInUTC ?? Date(timeIntervalSince1970: 0)
    let sections = (characters + topics.filter { $0.topic.kind == .subject }).map { topic in
      OPDSFeed.Section(
        title: topic.topic.name.description.withoutMarkup,
        summary: topic.count == 1 ? "1 comic" : "\(topic.count) comics",
        address: origin + Link.catalogue(ofTopic: topic.key).address.description,
        kind: .acquisition,
        updated: updated
      )
    }
    return OPDSFeed(
      .sections(sections),
      in: archive,
      named: .init(id: "opds/topics", title: "Characters and topics", updated: updated),
      at: .init(origin: origin, link: .catalogueOfTopics, up: .catalogue)
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
    let page = try query.number("page", in: 1...OPDSList.mostPages, default: 1)
    let list = try await list(part, query, in: snapshot, for: client)
    return try await list.feed(ofPage: page, in: snapshot.archive, by: feeds, origin)
  }

  /// All comics of a year as one comic book.
  private func book(
    ofYear year: String,
    _ request: Hummingbird.Request,
    _ context: ServerContext
  ) throws -> Hummingbird.Response {
    let query = try APIQuery(request, names: ["page"])
    let archive = catalog.snapshot.archive
    return try books.response(
      with: try self.year(year, in: archive),
      volume: try query.number("page", in: 1...OPDSList.mostPages, default: 1),
      in: archive,
      cacheControl: "public, no-cache",
      for: context
    )
  }

  private func year(_ text: String, in archive: Archive) throws(Problem) -> OPDSList {
    guard let year = APIQuery.number(text, in: 1...9999) else {
      throw Problem(.badRequest, "This has to be a year such as 2012.", parameter: "year")
    }
    let numbers = Self.numbers(in: archive) { $0.date?.year == year }
    guard !numbers.isEmpty else {
      throw Problem(.notFound, "No comic came out in \(year).", parameter: "year")
    }
    return OPDSList(
      numbers: numbers,
      name: .init(id: "opds/years/\(year)", title: "xkcd in \(year)"),
      link: .catalogue(ofYear: year),
      up: .catalogueOfYears,
      book: .comicBook(ofYear: year)
    )
  }

  private func topic(_ text: String, in archive: Archive) throws(Problem) -> OPDSList {
    let key = Topic.key(of: Text(string: text.removingPercentEncoding ?? text))
    guard let topic = archive.topic(key) else {
      throw Problem(.notFound, "No comic has this topic: /opds/topics lists all.", parameter: "topic")
    }
    let having = archive.comics(about: key)
    return OPDSList(
      numbers: Self.numbers(in: archive) { having.contains($0.number) },
      name: .init(id: "opds/topics/\(key)", title: "xkcd: \(topic.topic.name)"),
      link: .catalogue(ofTopic: key),
      up: .catalogueOfTopics
    )
  }

  /// The comics that are wanted and have a picture, the oldest first.
  static func numbers(in archive: Archive, where isWanted: (ArchivedComic) -> Bool) -> [Comic.Number] {
    var numbers: [Comic.Number] = []
    archive.visit { comic in
      if comic.isInCatalogue, isWanted(comic) { numbers.append(comic.number) }
      return true
    }
    return numbers
  }

  /// The comics of a part.
  private func list(
    _ part: Part,
    _ query: APIQuery,
    in snapshot: Catalog.Snapshot,
    for client: ClientAddress
  ) async throws -> OPDSList {
    let archive = snapshot.archive
    switch part {
    case .year(let text): return try year(text, in: archive)
    case .topic(let key): return try topic(key, in: archive)
    case .search:
      let words = try query.text("q", atMost: FeedRenderer.searchLimit)
      let question = SearchQuestion(text: words, limit: Self.mostSearched)
      let isHeavy = HeavyWork.isHeavy(searchFor: words)
      let found = try await heavyWork.run(for: client, if: isHeavy) { snapshot.search.results(for: question) }
      return OPDSList(
        numbers: found.hits.map(\.number).filter { archive.comic($0)?.isInCatalogue ?? false },
        name: .init(id: "opds/search/\(words)", title: "xkcd: \(words)"),
        link: .catalogueSearch(words),
        up: .catalogue
      )
    case .root, .years, .topics, .latest, .searchDescription:
      return OPDSList(
        numbers: Self.numbers(in: archive) { _ in true }.reversed(),
        name: .init(id: "opds/latest", title: "xkcd, the latest"),
        link: .catalogueOfLatest,
        up: .catalogue
      )
    }
  }

  /// The maximum number of search results, over all pages.
  private static let mostSearched = 500
}
