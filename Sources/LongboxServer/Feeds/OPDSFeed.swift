// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import LongboxCatalog
import LongboxCore
import LongboxPages

/// A part of the catalogue for comic reader apps, independent of the format.
struct OPDSFeed: Equatable, Sendable {
  /// Whether the part lists other parts or comics.
  enum Kind: String, Sendable {
    case navigation
    case acquisition

    /// The media type that OPDS 1.2 requires in every link to such a part.
    var mediaType: String { "application/atom+xml;profile=opds-catalog;kind=\(rawValue)" }
  }

  /// A link to another part.
  struct Section: Equatable, Sendable {
    var title: String
    var summary: String
    var address: String
    var kind: Kind
    /// The link relation to this part.
    var relation = "subsection"
    var updated: Date
  }

  struct Publication: Equatable, Sendable {
    var entry: FeedEntry
    /// The address of the comic book file.
    var comicBook: String
  }

  enum Content: Equatable, Sendable {
    case sections([Section])
    case publications([Publication])
  }

  var id: String
  var title: String
  var updated: Date
  var address: String
  /// The address of the part above.
  var up: String?
  var previous: String?
  var next: String?
  /// The number of comics on all pages and on each page, if known.
  var total: Int?
  var pageLength: Int?
  /// The address of the catalogue's root.
  var root: String
  /// The address of the search description.
  var searchDescription: String
  /// The address of search results, with `{searchTerms}` as the placeholder.
  var searchTemplate: String
  var icon: String
  var author: Feed.Author
  var rights: Rights
  var content: Content

  var kind: Kind {
    switch content {
    case .sections: .navigation
    case .publications: .acquisition
    }
  }
}

extension OPDSFeed {
  struct Name {
    /// The name that the identifier is derived from.
    var id: String
    var title: String
    /// The date of change, for a part without dated entries.
    var updated: Date?
  }

  struct Location {
    /// Scheme, host, port and base path of this server.
    var origin: String
    var link: Link
    var up: Link?
  }

  /// Creates a part of the catalogue of an archive; the caller adds the pagination.
  init(_ content: Content, in archive: Archive, named name: Name, at location: Location) {
    func address(_ link: Link) -> String { location.origin + link.address.description }
    let series = archive.series
    id = StableIdentifier.of("\(series.feedPrefix)\(name.id)")
    title = name.title.replacing("xkcd", with: series.name).withoutMarkup
    let dates: [Date] =
      switch content {
      case .sections(let sections): sections.map(\.updated)
      case .publications(let publications): publications.map(\.entry.updated)
      }
    updated =
      dates.max() ?? name.updated ?? archive.latest?.date?.startOfDayInUTC ?? Date(timeIntervalSince1970: 0)
    self.address = address(location.link)
    up = location.up.map(address)
    root = address(.catalogue)
    searchDescription = address(.catalogueSearchDescription)
    searchTemplate = address(.catalogueSearchTemplate)
    icon = address(.asset("icon-180.png", version: .empty))
    author = series.author
    rights = series.rights
    self.content = content
  }
}

/// The comics of a part of the catalogue, of which each page shows some.
struct OPDSList: Sendable {
  /// The number of comics on a page.
  private static let pageLength = 50
  static let mostPages = 10_000

  /// The comics that have a picture: apps can't show others.
  var numbers: [Comic.Number]
  var name: OPDSFeed.Name
  var link: Link
  var up: Link
  /// All of them as one comic book, or as several.
  var book: Link?

  /// A page, which begins with the comic books of all comics if it is the first.
  /// - Parameters:
  ///   - page: its number, from 1.
  ///   - archive: the comics.
  ///   - feeds: makes the entries.
  ///   - origin: scheme, host, port and base path of this server.
  /// - Throws: `Problem` if the list has fewer pages, or the store can't be read.
  func feed(
    ofPage page: Int,
    in archive: Archive,
    by feeds: FeedRenderer,
    _ origin: String
  ) async throws(Problem) -> OPDSFeed {
    let start = (page - 1) * Self.pageLength
    guard page == 1 || start < numbers.count else {
      throw Problem(.notFound, "The list has fewer pages.", parameter: "page")
    }
    let shown = Array(numbers.dropFirst(start).prefix(Self.pageLength))
    let entries = try await feeds.entries(of: shown, in: archive, origin)
    // Apps can't show comics whose record names the picture of another comic.
    let publications = entries.filter { $0.picture != nil }.map { entry in
      let book = origin + Link.comicBook(entry.number).address.description
      return OPDSFeed.Publication(entry: entry, comicBook: book)
    }
    var feed = OPDSFeed(
      .publications((page == 1 ? books(in: archive, origin) : []) + publications),
      in: archive,
      named: name,
      at: .init(origin: origin, link: link, up: up)
    )
    feed.address = origin + (address(ofPage: page) ?? "")
    feed.previous = address(ofPage: page - 1).map { origin + $0 }
    feed.next = address(ofPage: page + 1).map { origin + $0 }
    feed.total = numbers.count
    feed.pageLength = Self.pageLength
    return feed
  }

  private func address(ofPage page: Int) -> String? {
    guard page >= 1, (page - 1) * Self.pageLength < max(1, numbers.count) else { return nil }
    let link = link.address.description
    return page == 1 ? link : link + (link.contains("?") ? "&" : "?") + "page=\(page)"
  }

  /// The comic books of all comics.
  private func books(in archive: Archive, _ origin: String) -> [OPDSFeed.Publication] {
    guard let book, numbers.count > 1 else { return [] }
    let volumes = ComicBookVolume.volumes(of: numbers)
    return volumes.map { volume in
      let first = volume.numbers.lazy.compactMap { archive.comic($0) }.first
      let date = first?.date?.startOfDayInUTC ?? Date(timeIntervalSince1970: 0)
      let part = volumes.count > 1 ? ", part \(volume.index) of \(volumes.count)" : ""
      let title = name.title.replacing("xkcd", with: archive.series.name)
      let entry = FeedEntry(
        number: volume.numbers.first ?? .first,
        id: StableIdentifier.of("\(archive.series.feedPrefix)\(name.id)/book/\(volume.index)"),
        title: "\(title) as one comic book\(part)",
        page: origin + Link.comic(volume.numbers.first ?? .first).address.description,
        published: date,
        updated: name.updated ?? date,
        summary: "\(volume.numbers.count) comics, a page for each.",
        html: ""
      )
      let query = volume.index > 1 ? "?page=\(volume.index)" : ""
      return OPDSFeed.Publication(entry: entry, comicBook: origin + book.address.description + query)
    }
  }
}

extension ArchivedComic {
  /// Whether a comic is in the catalogue: apps can't show one without a picture.
  var isInCatalogue: Bool { !pictureAddress.isEmpty }
}

/// A part of the catalogue as OPDS 1.2: Atom with Dublin Core terms (https://specs.opds.io/opds-1.2).
struct OPDSDocument {
  static let comicBookType = "application/vnd.comicbook+zip"
  private static let acquisition = "http://opds-spec.org/acquisition/open-access"

  let feed: OPDSFeed

  var mediaType: String { feed.kind.mediaType }

  var bytes: [UInt8] {
    XML(
      "feed",
      [
        ("xmlns", AtomDocument.namespace), ("xmlns:dc", "http://purl.org/dc/terms/"),
        ("xmlns:opensearch", "http://a9.com/-/spec/opensearch/1.1/"), ("xml:lang", "en"),
      ]
    ) {
      XML("id", text: feed.id)
      XML("title", text: feed.title)
      XML("updated", text: feed.updated.inFeed)
      XML.atomAuthor(feed.author)
      XML("rights", text: feed.rights.words)
      XML("icon", text: feed.icon)
      links
      if let total = feed.total { XML("opensearch:totalResults", text: "\(total)") }
      if let length = feed.pageLength { XML("opensearch:itemsPerPage", text: "\(length)") }
      switch feed.content {
      case .sections(let sections): XMLBuilder.buildArray(sections.map(element))
      case .publications(let publications): XMLBuilder.buildArray(publications.map(element))
      }
    }
    .document
  }

  @XMLBuilder private var links: XML {
    let navigation = OPDSFeed.Kind.navigation.mediaType
    XML.atomLink("self", feed.address, type: mediaType)
    XML.atomLink("start", feed.root, type: navigation)
    if let up = feed.up { XML.atomLink("up", up, type: navigation) }
    if let previous = feed.previous { XML.atomLink("previous", previous, type: mediaType) }
    if let next = feed.next { XML.atomLink("next", next, type: mediaType) }
    XML.atomLink("search", feed.searchDescription, type: OpenSearchDescription.mediaType)
    // KOReader and others look for this one.
    XML.atomLink("search", feed.searchTemplate, type: AtomDocument.mediaType)
    // Foliate shows an error, and no search, if any link has no type.
    if let licence = feed.rights.licence { XML.atomLink("license", licence, type: "text/html") }
  }

  private func element(_ section: OPDSFeed.Section) -> XML {
    XML("entry") {
      XML("id", text: StableIdentifier.of("section/\(feed.id)/\(section.title)"))
      XML("title", text: section.title)
      XML("updated", text: section.updated.inFeed)
      XML.atomLink(section.relation, section.address, type: section.kind.mediaType)
      XML("content", [("type", "text")], text: section.summary)
    }
  }

  private func element(_ publication: OPDSFeed.Publication) -> XML {
    let entry = publication.entry
    return XML("entry") {
      XML("id", text: entry.id)
      XML("title", text: entry.title)
      XML("updated", text: entry.updated.inFeed)
      XML.atomAuthor(feed.author)
      XML("rights", text: feed.rights.words)
      XML("dc:identifier", text: entry.id)
      XML("dc:language", text: "en")
      XML("dc:issued", text: String(entry.published.inFeed.prefix(10)))
      if !entry.summary.isEmpty { XML("summary", text: entry.summary) }
      XML.atomLink("alternate", entry.page, type: "text/html")
      if let original = entry.original { XML.atomLink("via", original, type: "text/html") }
      XML.atomLink(Self.acquisition, publication.comicBook, type: Self.comicBookType)
      if let picture = entry.picture, let type = picture.mediaType {
        XML.atomLink(Self.acquisition, picture.address, type: type)
        // The full picture serves as the thumbnail: ours are WebP, and OPDS only allows GIF, JPEG and PNG.
        XML.atomLink("http://opds-spec.org/image", picture.address, type: type)
        XML.atomLink("http://opds-spec.org/image/thumbnail", picture.address, type: type)
      }
    }
  }
}

/// The OpenSearch 1.1 description of the catalogue's search.
struct OpenSearchDescription {
  static let mediaType = "application/opensearchdescription+xml"

  /// The address of search results, with `{searchTerms}` as the placeholder.
  let template: String

  /// OpenSearch limits the three names to 16, 1024 and 48 characters.
  var bytes: [UInt8] {
    XML("OpenSearchDescription", [("xmlns", "http://a9.com/-/spec/opensearch/1.1/")]) {
      XML("ShortName", text: "Longbox")
      XML("Description", text: "Finds comics by their words, number or date.")
      XML("Url", [("type", OPDSFeed.Kind.acquisition.mediaType), ("template", template)])
      XML("LongName", text: "Search the comics of this Longbox")
      XML("Language", text: "en")
      XML("OutputEncoding", text: "UTF-8")
      XML("InputEncoding", text: "UTF-8")
    }
    .document
  }
}
