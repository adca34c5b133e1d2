// Longbox
// SPDX-License-Identifier: MIT

/// The changes of a catalog, for one subscriber; it ends when the catalog shuts down.
///
/// A change may be told of twice, but none is lost: unread ones are merged, which takes memory for each comic once.
public struct CatalogChanges: AsyncSequence, Sendable {
  let catalog: Catalog
  let inbox: ChangeBroadcaster.Inbox
  let signals: AsyncStream<Void>

  /// Reads the changes.
  ///
  /// Iterators of one subscription share its changes; for another subscriber ask the catalog again.
  public func makeAsyncIterator() -> Iterator {
    Iterator(catalog: catalog, inbox: inbox, signals: signals.makeAsyncIterator())
  }

  /// Reads the changes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let catalog: Catalog
    fileprivate let inbox: ChangeBroadcaster.Inbox
    fileprivate var signals: AsyncStream<Void>.Iterator

    /// Everything that has changed since the last call; waits where nothing has.
    /// - Returns: nothing once the catalog has shut down, or the task is cancelled.
    public mutating func next() async -> CatalogChange? {
      while await signals.next() != nil {
        let changes = inbox.take()
        if !changes.isEmpty { return CatalogChange(changes, in: catalog.snapshot) }
      }
      return nil
    }
  }
}

extension Catalog {
  /// A new subscription to what changes from now on.
  ///
  /// Subscribe first and read the ``snapshot`` then: so no change between the two is missed.
  public var changes: CatalogChanges {
    let (inbox, signals) = broadcaster.subscribe()
    return CatalogChanges(catalog: self, inbox: inbox, signals: signals)
  }

  /// Ends all subscriptions, as the end of the upkeep does.
  func finishChanges() {
    broadcaster.finish()
  }
}
