// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// What one repository shows its readers at one point in time.
struct PublishedComics: Sendable {
  var archive: Archive
  var explanationIndex: ExplanationIndex
  var search: Search
  var newest: Comic.Number?
  /// Increases with each change, so that caches can tell whether they are stale.
  var generation: Int

  mutating func show(_ archive: Archive, _ search: Search) {
    self.archive = archive
    self.search = search
    newest = [newest, archive.latest?.number].compactMap { $0 }.max()
    generation += 1
  }
}
