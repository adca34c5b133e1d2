// Longbox
// SPDX-License-Identifier: MIT

import Logging
import LongboxCore
import LongboxStore
import Synchronization

// The explanation index.
extension ComicRepository {
  /// Adds changed explanations to the index; it runs in the background: a reader doesn't wait for it.
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

  func saveExplanationIndex() {
    let index = current.explanationIndex
    guard savedIndexRevision.withLock({ $0 != index.revision }) else { return }
    do {
      try ExplanationIndexFile(in: store.folder).write(index)
      savedIndexRevision.withLock { $0 = index.revision }
    } catch {
      logger.warning(
        "The index of explanations could not be written; it will be built again at the next start.",
        metadata: ["error": "\(error)"]
      )
    }
  }
}
