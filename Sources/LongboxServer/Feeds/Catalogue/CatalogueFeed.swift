// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// A part of the catalogue for comic reader apps, apart from how it is written.
struct CatalogueFeed: Equatable, Sendable {
  /// What is in it: other parts, or comics.
  enum Kind: String, Sendable {
    case navigation
    case acquisition

    /// The media type, which OPDS 1.2 has in every link to such a part.
    var mediaType: String { "application/atom+xml;profile=opds-catalog;kind=\(rawValue)" }
  }

  /// A way to another part.
  struct Section: Equatable, Sendable {
    var title: String
    var summary: String
    var address: String
    var kind: Kind
    /// How it belongs to this part.
    var relation = "subsection"
    var updated: Date
  }

  /// A comic that can be had.
  struct Publication: Equatable, Sendable {
    var entry: FeedEntry
    /// Where the comic is as a comic book.
    var comicBook: String
  }

  /// What is in a part.
  enum Content: Equatable, Sendable {
    case sections([Section])
    case publications([Publication])
  }

  var id: String
  var title: String
  var updated: Date
  var address: String
  /// The part above.
  var up: String?
  var previous: String?
  var next: String?
  /// How many comics there are in all parts together, and how many in each, where that is known.
  var total: Int?
  var pageLength: Int?
  /// Where the catalogue begins.
  var root: String
  /// Where it says how it is searched.
  var searchDescription: String
  var icon: String
  var author: Feed.Author
  var rights: Rights
  var content: Content

  /// What is in it.
  var kind: Kind {
    switch content {
    case .sections: .navigation
    case .publications: .acquisition
    }
  }
}
