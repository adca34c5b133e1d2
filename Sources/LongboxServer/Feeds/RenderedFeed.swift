// Longbox
// SPDX-License-Identifier: MIT

import LongboxPages

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
