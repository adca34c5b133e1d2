// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// A feed of comics, independent of the format.
///
/// All addresses are absolute.
struct Feed: Equatable, Sendable {
  struct Author: Equatable, Sendable {
    var name: String
    var address: String?
  }

  /// A permanent identifier, independent of the server's address.
  var id: String
  var title: String
  var subtitle: String?
  var updated: Date
  /// The page with the same content.
  var page: String
  /// The address of the feed itself.
  var address: String
  /// The address of the older entries (RFC 5005, section 3).
  var next: String?
  var icon: String
  var author: Author
  var rights: Rights
  var entries: [FeedEntry]
}

/// The copyright notice and the address of the licence.
struct Rights: Equatable, Sendable {
  var words: String
  var licence: String?
}

struct FeedEntry: Equatable, Sendable {
  /// A picture on this server.
  struct Picture: Equatable, Sendable {
    var address: String
    var mediaType: String?
    var byteCount: Int?
  }

  var number: Comic.Number
  /// A permanent identifier, independent of the server's address.
  var id: String
  var title: String
  /// The comic's page on this server.
  var page: String
  /// The comic's page on xkcd.com; nil for samples.
  var original: String?
  var published: Date
  var updated: Date
  var summary: String
  /// Picture, texts and credits.
  var html: String
  var picture: Picture?
}
