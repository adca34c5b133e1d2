// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
import Synchronization

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

/// What has changed in the catalog since a subscriber last looked, as one merged change.
public struct CatalogChange: Sendable {
  public let newComics: Set<Comic.Number>
  /// Comics whose text, picture or picture facts have changed.
  public let changedComics: Set<Comic.Number>
  /// Comics whose explanation has changed; each is reported when the text is stored, and when search finds
  /// it.
  public let explanations: Set<Comic.Number>
  /// The catalog when the change was read: at least as new as the change.
  public let snapshot: Catalog.Snapshot

  init(_ changes: ChangeSet, in snapshot: Catalog.Snapshot) {
    newComics = changes.newComics
    changedComics = changes.changedComics
    explanations = changes.explanations
    self.snapshot = snapshot
  }
}

/// Which comics have changed, and how; merging keeps each comic once, which bounds the size.
struct ChangeSet: Equatable, Sendable {
  var newComics: Set<Comic.Number> = []
  var changedComics: Set<Comic.Number> = []
  var explanations: Set<Comic.Number> = []

  var isEmpty: Bool { newComics.isEmpty && changedComics.isEmpty && explanations.isEmpty }

  /// Adds later changes; a new comic that changes is still new.
  mutating func merge(_ later: ChangeSet) {
    newComics.formUnion(later.newComics)
    changedComics.formUnion(later.changedComics)
    changedComics.subtract(newComics)
    explanations.formUnion(later.explanations)
  }
}

/// Sends each change to all subscribers, without waiting for any of them.
final class ChangeBroadcaster: Sendable {
  final class Inbox: Sendable {
    private let unread = Mutex(ChangeSet())
    fileprivate let signal: AsyncStream<Void>.Continuation

    fileprivate init(signal: AsyncStream<Void>.Continuation) {
      self.signal = signal
    }

    fileprivate func add(_ changes: ChangeSet) {
      let wasEmpty = unread.withLock { unread in
        defer { unread.merge(changes) }
        return unread.isEmpty
      }
      if wasEmpty { signal.yield() }
    }

    func take() -> ChangeSet {
      unread.withLock { unread in
        defer { unread = ChangeSet() }
        return unread
      }
    }
  }

  private struct State {
    var inboxes: [Int: Inbox] = [:]
    var nextID = 0
    var isFinished = false
  }

  private let state = Mutex(State())

  deinit { finish() }

  /// The number of open subscriptions.
  var subscriberCount: Int { state.withLock { $0.inboxes.count } }

  /// A new subscriber's inbox and the signals that wake it; the subscription ends when the signals are
  /// released, or the reading task is cancelled.
  func subscribe() -> (Inbox, AsyncStream<Void>) {
    let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let inbox = Inbox(signal: signal)
    let id: Int? = state.withLock { state in
      guard !state.isFinished else { return nil }
      defer { state.nextID += 1 }
      state.inboxes[state.nextID] = inbox
      return state.nextID
    }
    if let id {
      signal.onTermination = { [weak self] _ in self?.remove(id) }
    } else {
      signal.finish()
    }
    return (inbox, signals)
  }

  /// Sends changes to all subscribers; readers of the catalog must see the changes already.
  func send(_ changes: ChangeSet) {
    guard !changes.isEmpty else { return }
    for inbox in state.withLock({ $0.inboxes.values }) { inbox.add(changes) }
  }

  /// Ends all subscriptions; unread changes can still be read.
  func finish() {
    let inboxes = state.withLock { state in
      state.isFinished = true
      defer { state.inboxes = [:] }
      return state.inboxes.values
    }
    // Outside the lock, which `onTermination` takes.
    for inbox in inboxes { inbox.signal.finish() }
  }

  private func remove(_ id: Int) {
    state.withLock { $0.inboxes[id] = nil }
  }
}
