// Longbox
// SPDX-License-Identifier: MIT

import Foundation

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
    if let licence = feed.rights.licence { XML.atomLink("license", licence) }
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
