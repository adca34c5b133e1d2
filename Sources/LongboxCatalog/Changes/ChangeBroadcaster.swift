// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

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
