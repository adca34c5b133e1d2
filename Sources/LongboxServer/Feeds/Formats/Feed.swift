// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// A feed of comics, apart from the form in which it is written.
///
/// All addresses are absolute.
struct Feed: Equatable, Sendable {
  /// Who made what is in it.
  struct Author: Equatable, Sendable {
    var name: String
    var address: String?
  }

  /// Stays the same for as long as it is the same feed, wherever the server stands.
  var id: String
  var title: String
  var subtitle: String?
  /// When it was last changed.
  var updated: Date
  /// The page that shows the same.
  var page: String
  /// Where the feed itself is.
  var address: String
  /// Where the older entries are (RFC 5005, section 3).
  var next: String?
  var icon: String
  var author: Author
  var rights: Rights
  var entries: [FeedEntry]
}

/// Who made what, and what others may do with it, in words and by its address.
struct Rights: Equatable, Sendable {
  var words: String
  var licence: String?
}

/// A comic in a feed.
struct FeedEntry: Equatable, Sendable {
  /// A picture as it can be fetched from this server.
  struct Picture: Equatable, Sendable {
    var address: String
    var mediaType: String?
    var byteCount: Int?
  }

  var number: Comic.Number
  /// Stays the same for as long as it is the same comic, wherever the server stands.
  var id: String
  var title: String
  /// The comic's page on this server.
  var page: String
  /// Where the comic comes from; the project's own samples come from nowhere.
  var original: String?
  var published: Date
  var updated: Date
  /// The alt text.
  var summary: String
  /// Picture, texts and credits.
  var html: String
  var picture: Picture?
}
