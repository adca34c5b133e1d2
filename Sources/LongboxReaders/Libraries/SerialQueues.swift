// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// A serial queue for each key: steps of one key run in the order in which they were submitted.
///
/// Steps of different keys don't wait for each other. An idle queue takes no memory.
final class SerialQueues<Key: Hashable & Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Void, Never>

  /// The waiting steps of each key in use.
  private let waiters = Mutex<[Key: [Waiter]]>([:])

  /// The number of keys with a running step.
  var count: Int { waiters.withLock { $0.count } }

  /// The number of waiting steps of a key, without the running one.
  func waitingCount(_ key: Key) -> Int { waiters.withLock { $0[key]?.count ?? 0 } }

  /// Runs a step after all earlier ones of its key.
  ///
  /// Cancelling the caller doesn't cancel the step, so that no change stays half done. A step may wait only
  /// for the queue of a greater key, or steps could deadlock.
  func run<Value: Sendable>(_ key: Key, _ step: @escaping @Sendable () async throws -> Value) async throws
    -> Value
  {
    await enter(key)
    defer { leave(key) }
    return try await Task { try await step() }.value
  }

  private func enter(_ key: Key) async {
    await withCheckedContinuation { waiter in
      let isFree = waiters.withLock { waiters in
        guard waiters[key] != nil else {
          waiters[key] = []
          return true
        }
        waiters[key]?.append(waiter)
        return false
      }
      if isFree { waiter.resume() }
    }
  }

  private func leave(_ key: Key) {
    let next = waiters.withLock { waiters -> Waiter? in
      guard waiters[key]?.isEmpty == false else {
        waiters[key] = nil
        return nil
      }
      return waiters[key]?.removeFirst()
    }
    next?.resume()
  }
}
