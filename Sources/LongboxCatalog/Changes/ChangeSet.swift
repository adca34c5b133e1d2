// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Which comics have changed, and in what way.
///
/// Merging keeps each comic once, so a set is never larger than the number of comics, however many changes went into it.
struct ChangeSet: Equatable, Sendable {
  var newComics: Set<Comic.Number> = []
  var changedComics: Set<Comic.Number> = []
  var explanations: Set<Comic.Number> = []

  var isEmpty: Bool { newComics.isEmpty && changedComics.isEmpty && explanations.isEmpty }

  /// Adds later changes; a comic that is new and then changes is still new.
  mutating func merge(_ later: ChangeSet) {
    newComics.formUnion(later.newComics)
    changedComics.formUnion(later.changedComics)
    changedComics.subtract(newComics)
    explanations.formUnion(later.explanations)
  }
}
