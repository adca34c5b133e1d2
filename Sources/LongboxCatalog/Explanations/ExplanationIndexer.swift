// Longbox
// SPDX-License-Identifier: MIT

import Logging
import LongboxCore
import LongboxStore
import Synchronization

/// Keeps the index of explanations up to date with the store, and its file with the index.
final class ExplanationIndexer: Sendable {
  private let store: Store
  private let publisher: ArchivePublisher
  private let broadcaster: ChangeBroadcaster
  private let logger: Logger
  private let queue = SerialQueue()
  /// The revision of the index's file, or nil if it is missing or unusable.
  private let savedRevision: Mutex<Int?>

  init(
    store: Store,
    savedRevision: Int?,
    publisher: ArchivePublisher,
    broadcaster: ChangeBroadcaster,
    logger: Logger
  ) {
    self.store = store
    self.savedRevision = Mutex(savedRevision)
    self.publisher = publisher
    self.broadcaster = broadcaster
    self.logger = logger
  }

  /// Adds changed explanations to the index; it runs in the background: a reader doesn't wait for it.
  func update() async throws {
    var isMore = true
    while isMore, !Task.isCancelled {
      isMore = try await queue.run { [self] in
        let index = publisher.current.explanationIndex
        guard let delta = try await store.explanationDelta(after: index) else { return false }
        try await publisher.show(index.updated(with: delta.segment))
        broadcaster.send(ChangeSet(explanations: delta.comics))
        return true
      }
    }
  }

  /// Writes the index to its file, unless that has the same revision.
  func save() {
    let index = publisher.current.explanationIndex
    guard savedRevision.withLock({ $0 != index.revision }) else { return }
    do {
      try ExplanationIndexFile(in: store.folder).write(index)
      savedRevision.withLock { $0 = index.revision }
    } catch {
      logger.warning(
        "The index of explanations could not be written; it will be built again at the next start.",
        metadata: ["error": "\(error)"]
      )
    }
  }
}
