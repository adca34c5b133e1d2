// Longbox
// SPDX-License-Identifier: MIT

import Foundation

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
