// Longbox
// SPDX-License-Identifier: MIT

import Logging
import LongboxStore

/// Reads the store when other nodes may have changed it.
struct Follower: Sendable {
  let comics: ComicRepository
  let shown: ShownComics
  let refresher: Refresher
  let cluster: Cluster
  let logger: Logger

  /// Follows until the task is cancelled.
  func run() async {
    for await _ in cluster.listener.hints() {
      do {
        try await follow()
      } catch {
        guard !Task.isCancelled else { return }
        logger.warning(
          "New comics of other nodes can't be read; Longbox tries again within ten seconds.",
          metadata: ["error": "\(error)"]
        )
      }
    }
  }

  /// Shows what is stored now.
  func follow() async throws {
    try await comics.view.follow()
    shown.discardStandIn()
    // The leader knows better how the sources are.
    if cluster.isFollower { try await refresher.noteStored() }
  }
}
