// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxPages
import LongboxReaders

/// A feed as Atom (RFC 4287), with pagination (RFC 5005) and licence (RFC 4946).
struct AtomDocument {
  static let mediaType = "application/atom+xml"
  static let namespace = "http://www.w3.org/2005/Atom"

  let feed: Feed

  var bytes: [UInt8] {
    XML("feed", [("xmlns", Self.namespace), ("xml:lang", "en")]) {
      XML("id", text: feed.id)
      XML("title", text: feed.title)
      if let subtitle = feed.subtitle { XML("subtitle", text: subtitle) }
      XML("updated", text: feed.updated.inFeed)
      XML.atomAuthor(feed.author)
      XML("rights", text: feed.rights.words)
      XML("generator", text: "Longbox")
      XML("icon", text: feed.icon)
      XML.atomLink("self", feed.address, type: Self.mediaType)
      XML.atomLink("alternate", feed.page, type: "text/html")
      if let next = feed.next { XML.atomLink("next", next, type: Self.mediaType) }
      if let licence = feed.rights.licence { XML.atomLink("license", licence) }
      for entry in feed.entries { element(entry) }
    }
    .document
  }

  private func element(_ entry: FeedEntry) -> XML {
    XML("entry") {
      XML("id", text: entry.id)
      XML("title", text: entry.title)
      XML("published", text: entry.published.inFeed)
      XML("updated", text: entry.updated.inFeed)
      // The feed's author applies to all entries, but some feed readers ignore that.
      XML.atomAuthor(feed.author)
      XML.atomLink("alternate", entry.page, type: "text/html")
      if let original = entry.original { XML.atomLink("via", original, type: "text/html") }
      if let licence = feed.rights.licence { XML.atomLink("license", licence) }
      XML("rights", text: feed.rights.words)
      if !entry.summary.isEmpty { XML("summary", text: entry.summary) }
      XML("content", [("type", "html")], text: entry.html)
    }
  }
}

extension XML {
  /// An Atom link (RFC 4287, section 4.2.7).
  static func atomLink(_ relation: String, _ address: String, type: String? = nil) -> XML {
    XML("link", [("rel", relation), ("type", type), ("href", address)])
  }

  /// An Atom person (RFC 4287, section 3.2).
  static func atomAuthor(_ author: Feed.Author) -> XML {
    XML("author") {
      XML("name", text: author.name)
      if let address = author.address { XML("uri", text: address) }
    }
  }
}

extension Date {
  /// The date as RFC 3339, such as `2026-11-21T20:46:39Z`.
  var inFeed: String { formatted(.iso8601) }
}

/// A feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
///
/// An extension object holds the licence, because the format has no field for it. The content names it, too.
struct JSONFeedDocument: Encodable {
  static let mediaType = "application/feed+json"

  struct Author: Encodable {
    var name: String
    var url: String?
  }

  struct Extension: Encodable {
    var rights: String
    var licence: String?
  }

  struct Item: Encodable {
    var id: String
    var url: String
    var externalURL: String?
    var title: String
    var contentHTML: String
    var summary: String?
    var image: String?
    var datePublished: String
    var dateModified: String
    var rights: Extension

    enum CodingKeys: String, CodingKey {
      case id, url, title, summary, image
      case externalURL = "external_url"
      case contentHTML = "content_html"
      case datePublished = "date_published"
      case dateModified = "date_modified"
      case rights = "_rights"
    }
  }

  var version = "https://jsonfeed.org/version/1.1"
  var title: String
  var homePageURL: String
  var feedURL: String
  var description: String?
  var nextURL: String?
  var icon: String
  var authors: [Author]
  var language = "en"
  var items: [Item]

  enum CodingKeys: String, CodingKey {
    case version, title, description, icon, authors, language, items
    case homePageURL = "home_page_url"
    case feedURL = "feed_url"
    case nextURL = "next_url"
  }

  init(_ feed: Feed) {
    title = feed.title
    homePageURL = feed.page
    feedURL = feed.address
    description = feed.subtitle
    nextURL = feed.next
    icon = feed.icon
    authors = [Author(name: feed.author.name, url: feed.author.address)]
    let rights = Extension(rights: feed.rights.words, licence: feed.rights.licence)
    items = feed.entries.map { Item($0, rights) }
  }

  var bytes: [UInt8] {
    get throws {
      [UInt8](try JSONEncoder.stable.encode(self))
    }
  }
}

extension JSONFeedDocument.Item {
  init(_ entry: FeedEntry, _ rights: JSONFeedDocument.Extension) {
    id = entry.id
    url = entry.page
    externalURL = entry.original
    title = entry.title
    contentHTML = entry.html
    summary = entry.summary.isEmpty ? nil : entry.summary
    image = entry.picture?.address
    datePublished = entry.published.inFeed
    dateModified = entry.updated.inFeed
    self.rights = rights
  }
}

/// A rendered feed or part of the catalogue.
struct RenderedFeed: Sendable {
  var bytes: [UInt8]
  var mediaType: String
  /// The catalog's generation that it was rendered from.
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

  init(_ document: OPDSDocument, generation: Int) {
    self.init(document.bytes, mediaType: document.mediaType, generation: generation)
  }
}
