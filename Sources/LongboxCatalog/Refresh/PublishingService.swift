// Longbox
// SPDX-License-Identifier: MIT

public import ServiceLifecycle

/// Shows what other nodes have stored, and keeps the files of the archive and of the explanation index up to date.
///
/// Each node runs it until it shuts down. When it ends, all subscriptions to the catalog's changes end, so it stops after
/// the ``RefreshService``.
public struct PublishingService: Service {
  let comics: ComicRepository
  let broadcaster: ChangeBroadcaster
  let follower: NodeUpdater?

  /// How long after a change it is written to the disk; a kill before that only slows the next start.
  private static let savePause = Duration.seconds(60)

  /// Runs until shutdown.
  public func run() async throws {
    let (inbox, signals) = broadcaster.subscribe()
    await cancelWhenGracefulShutdown {
      async let following: Void? = follower?.run()
      await saveAfterChanges(signals, inbox)
      await following
    }
    comics.save()
    broadcaster.finish()
  }

  /// Writes the archive and the explanation index to the disk once a minute while they change.
  private func saveAfterChanges(_ signals: AsyncStream<Void>, _ inbox: ChangeBroadcaster.Inbox) async {
    for await _ in signals where !inbox.take().isEmpty {
      try? await Task.sleep(for: Self.savePause)
      // Changes during this save are saved together a minute later.
      if !Task.isCancelled { comics.save() }
    }
  }
}
