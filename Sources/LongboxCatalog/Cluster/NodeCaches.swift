// Longbox
// SPDX-License-Identifier: MIT

import LongboxStore

/// A node's caches of the store, and how they catch up with other nodes' changes.
struct NodeCaches: Sendable {
  let store: Store
  let publisher: ArchivePublisher
  let explanations: Explanations

  /// Reads what other nodes have stored since the last call, except for the index of explanations, which takes longer.
  func follow() async throws {
    let isFollower = store.cluster?.isFollower ?? false
    if let newest = try await store.fetches.newestCheck()?.newest { publisher.noteNewest(newest) }
    // Only the leader stores the dates of changes.
    try await publisher.publish(notesChanges: !isFollower)
    if try await explanations.forgetChanged() { publisher.noteChanged(explanations: []) }
  }
}
