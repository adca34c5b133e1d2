// Longbox
// SPDX-License-Identifier: MIT

import Logging
import LongboxCore
import LongboxStore
import Synchronization

// The index by which search looks into explanations.
extension ComicRepository {
  /// Takes the explanations that have changed into the index that is searched.
  ///
  /// It is work for the background: a reader who asked for an explanation does not wait for it to be indexed.
  func indexExplanations() async throws {
    var isMore = true
    while isMore, !Task.isCancelled {
      isMore = try await indexer.run { [self] in
        guard let delta = try await store.explanationDelta(after: current.explanationIndex) else {
          return false
        }
        try await show(current.explanationIndex.updated(with: delta.segment))
        broadcaster.send(ChangeSet(explanations: delta.comics))
        return true
      }
    }
  }

  /// Writes the index to the disk, where it has changed since it was read or written.
  func saveExplanationIndex() {
    let index = current.explanationIndex
    guard savedIndexRevision.withLock({ $0 != index.revision }) else { return }
    do {
      try ExplanationIndexFile(in: store.folder).write(index)
      savedIndexRevision.withLock { $0 = index.revision }
    } catch {
      logger.warning(
        "The index of explanations could not be written; it will be made anew at the next start.",
        metadata: ["error": "\(error)"]
      )
    }
  }
}
