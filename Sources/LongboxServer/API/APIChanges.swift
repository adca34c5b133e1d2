// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore

/// A page of added and changed comics, as the API returns it.
struct APIChanges: Encodable {
  var revision: Int
  /// The version of the decoding rules; when it changes, any text may have changed.
  var rules: Int
  /// Whether these are the project's own samples.
  var samples: Bool
  var comics: [APIComic]
  /// The value of `since` for the next request.
  var next: String
  /// Whether `next` has more changes already.
  var more: Bool

  init(_ changes: Catalog.ChangePage, below basePath: BasePath) {
    revision = changes.archive.revision
    rules = changes.archive.rules
    samples = changes.archive.isSampleBox
    comics = changes.comics.map { APIComic($0, below: basePath) }
    next = changes.position.description
    more = changes.isMore
  }
}
