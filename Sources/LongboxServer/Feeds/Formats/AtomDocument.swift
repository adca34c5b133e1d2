// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxPages

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
