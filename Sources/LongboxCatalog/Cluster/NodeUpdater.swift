// Longbox
// SPDX-License-Identifier: MIT

import Logging
import LongboxStore

/// Brings a node's memory up to date when other nodes have changed the store; runs on the leader, too.
struct NodeUpdater: Sendable {
  let comics: ComicRepository
  let shown: ShownComics
  let refresher: Refresher
  let cluster: Cluster
  let logger: Logger

  /// Reads changes until the task is cancelled.
  func run() async {
    for await _ in cluster.listener.hints() {
      do {
        try await follow()
      } catch {
        guard !Task.isCancelled else { return }
        logger.warning(
          "Changes of other nodes can't be read; Longbox tries again within ten seconds.",
          metadata: ["error": "\(error)"]
        )
      }
    }
  }

  /// Reads what has changed in the store.
  func follow() async throws {
    try await comics.view.follow()
    await shown.discardStandIn()
    // A follower doesn't ask the sources, so their state is what the leader has stored.
    if cluster.isFollower { try await refresher.noteStored() }
    // Even without new changes, because the last update may have failed.
    try await comics.indexer.update()
  }
}
