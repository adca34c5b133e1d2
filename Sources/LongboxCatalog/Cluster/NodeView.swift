// Longbox
// SPDX-License-Identifier: MIT

import LongboxStore

/// A node's caches of the store, and how they catch up with other nodes' changes.
struct NodeView: Sendable {
  let store: Store
  let publisher: ArchivePublisher
  let indexer: ExplanationIndexer
  let explanations: Explanations
  let pictures: PictureCache

  /// Reads what other nodes have stored since the last call.
  func follow() async throws {
    let isFollower = store.cluster?.isFollower ?? false
    if let newest = try await store.newestCheck()?.newest { publisher.noteNewest(newest) }
    // The leader alone stores when comics have changed.
    for number in try await publisher.publish(notesChanges: !isFollower) { pictures.forget(number) }
    guard try await explanations.forgetChanged() else { return }
    publisher.noteChanged(explanations: [])
    try await indexer.update()
  }
}
