// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxReaders

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
