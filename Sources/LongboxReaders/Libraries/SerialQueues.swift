// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// A serial queue for each key: steps of one key run one after another, in the order in which they were asked for.
///
/// Steps of different keys don't wait for each other. A queue takes memory only while one of its steps runs or waits.
final class SerialQueues<Key: Hashable & Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Void, Never>

  /// Those who wait for each key that is in use.
  private let waiters = Mutex<[Key: [Waiter]]>([:])

  /// How many queues there are.
  var count: Int { waiters.withLock { $0.count } }

  /// How many steps of a key wait for the one that runs.
  func waitingCount(_ key: Key) -> Int { waiters.withLock { $0[key]?.count ?? 0 } }

  /// Runs a step after all earlier ones of its key.
  ///
  /// The step is not cancelled when the caller is, so that no change stays half done. A step may wait for another key's queue
  /// only if that key is greater, or two steps could wait for each other forever.
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
