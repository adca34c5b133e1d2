// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore

/// A part of what was added or changed, as the API gives it.
struct APIChanges: Encodable {
  /// How far this server has come.
  var revision: Int
  /// The version of the rules by which texts are cleaned; where it is another one, any text may be.
  var rules: Int
  /// Whether these are the project's own samples and not xkcd's comics.
  var samples: Bool
  var comics: [APIComic]
  /// What to give as `since` next time.
  var next: String
  /// Whether there is more already.
  var more: Bool

  init(_ changes: Catalog.Changes) {
    revision = changes.archive.revision
    rules = changes.archive.rules
    samples = changes.archive.isSampleBox
    comics = changes.comics.map { APIComic($0) }
    next = changes.place.description
    more = changes.isMore
  }
}
