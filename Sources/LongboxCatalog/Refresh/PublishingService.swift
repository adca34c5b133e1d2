// Longbox
// SPDX-License-Identifier: MIT

import Logging
import LongboxStore
public import ServiceLifecycle

/// Shows what other nodes have stored, and keeps the files of the archive and of the explanation index up to date.
///
/// Each node runs it until it shuts down. When it ends, all subscriptions to the catalog's changes end, so it stops after
/// the ``RefreshService``.
public struct PublishingService: Service {
  let catalog: Catalog

  /// How long after a change it is written to the disk; a kill before that only slows the next start.
  private static let savePause = Duration.seconds(60)

  public func run() async throws {
    let (inbox, signals) = catalog.broadcaster.subscribe()
    await cancelWhenGracefulShutdown {
      async let following: Void = followOtherNodes()
      await saveAfterChanges(signals, inbox)
      await following
    }
    catalog.save()
    catalog.broadcaster.finish()
  }

  /// Writes the archive and the explanation index to the disk once a minute while they change.
  private func saveAfterChanges(_ signals: AsyncStream<Void>, _ inbox: ChangeBroadcaster.Inbox) async {
    for await _ in signals where !inbox.take().isEmpty {
      try? await Task.sleep(for: Self.savePause)
      // Changes during this save are saved together a minute later.
      if !Task.isCancelled { catalog.save() }
    }
  }

  /// Brings this node's memory up to date whenever other nodes have changed the store; the leader does so, too.
  private func followOtherNodes() async {
    guard let cluster = catalog.comics.store.cluster else { return }
    for await _ in cluster.listener.hints() {
      do {
        try await catalog.comics.nodes.follow()
        await catalog.discardStandIn()
        // A follower doesn't ask the sources, so their state is what the leader has stored.
        if cluster.isFollower { try await catalog.refresher.noteStored() }
        // Even without new changes, because the last update may have failed.
        try await catalog.comics.publisher.updateIndex()
      } catch {
        guard !Task.isCancelled else { return }
        catalog.logger.warning(
          "Changes of other nodes can't be read; Longbox tries again within ten seconds.",
          metadata: ["error": "\(error)"]
        )
      }
    }
  }
}
