// Longbox
// SPDX-License-Identifier: MIT

/// The catalog's changes, for one subscriber.
///
/// It ends when the catalog shuts down.
///
/// A change may be reported twice, but none is lost. Unread changes are merged, which bounds the memory.
public struct CatalogChanges: AsyncSequence, Sendable {
  let catalog: Catalog
  let inbox: ChangeBroadcaster.Inbox
  let signals: AsyncStream<Void>

  /// Reads the changes.
  ///
  /// Iterators of one subscription share its changes; another subscriber needs its own.
  public func makeAsyncIterator() -> Iterator {
    Iterator(catalog: catalog, inbox: inbox, signals: signals.makeAsyncIterator())
  }

  /// Reads the changes.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let catalog: Catalog
    fileprivate let inbox: ChangeBroadcaster.Inbox
    fileprivate var signals: AsyncStream<Void>.Iterator

    /// Everything that has changed since the last call; it waits until there is a change.
    /// - Returns: nil once the catalog has shut down, or the task is cancelled.
    public mutating func next() async -> CatalogChange? {
      while await signals.next() != nil {
        let changes = inbox.take()
        if !changes.isEmpty { return CatalogChange(changes, in: catalog.snapshot) }
      }
      return nil
    }
  }
}
