// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Which comics have changed, and how; merging keeps each comic once, which bounds the size.
struct ChangeSet: Equatable, Sendable {
  var newComics: Set<Comic.Number> = []
  var changedComics: Set<Comic.Number> = []
  var explanations: Set<Comic.Number> = []

  var isEmpty: Bool { newComics.isEmpty && changedComics.isEmpty && explanations.isEmpty }

  /// Adds later changes; a new comic that changes is still new.
  mutating func merge(_ later: ChangeSet) {
    newComics.formUnion(later.newComics)
    changedComics.formUnion(later.changedComics)
    changedComics.subtract(newComics)
    explanations.formUnion(later.explanations)
  }
}
