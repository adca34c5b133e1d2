// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import Synchronization

/// Runs steps that read or change a library, one after another in the library's queue.
///
/// A step runs on the cached library. If other nodes have changed that, the store rejects what the step saves, and the step
/// runs again on the newest.
struct LibrarySteps: Sendable {
  /// What a step returns.
  struct Result<Outcome: Sendable>: Sendable {
    let outcome: Outcome
    /// Whether the step has stored something, which proves that it ran on the newest library.
    let isStored: Bool
  }

  /// What a name was found to stand for.
  enum Reading: Sendable {
    /// The library; nil if there is none.
    ///
    /// It is not certain to be the newest if it was cached and other nodes use the store.
    case library(Replica?, isNewest: Bool)
    /// This other library, whose queue the step belongs to.
    case paired(with: LibraryName)
  }

  private enum Attempt<Outcome: Sendable>: Sendable {
    case done(Outcome)
    /// The name stands for this other library.
    case paired(with: LibraryName)
    /// The library was changed or removed since it was read.
    case conflict
  }

  /// How many times a step is tried while other nodes change the library.
  private static let attempts = 100

  let store: Store
  let cache: LibraryCache
  let timeouts: SharedStoreTimeouts
  let now: @Sendable () -> Date
  let queues = SerialQueues<LibraryName>()

  /// An empty library with a random device number.
  static var newReplica: Replica { Replica(device: .random(in: 1...UInt64.max)) }

  /// Runs a step in the queue of the library that a name stands for, again until it has run on the newest library.
  /// - Throws: `StoreError.conflict` if the library was changed or removed during each of a hundred attempts.
  func run<Outcome: Sendable>(
    on name: LibraryName,
    _ step: @escaping @Sendable (LibraryName, Replica?) async throws -> Result<Outcome>
  ) async throws -> Outcome {
    var home = cache.home(of: name)
    var conflicts = 0
    while true {
      let (current, asksStore) = (home, conflicts > 0)
      let ended = try await queues.run(current) { () async throws -> Attempt<Outcome> in
        try await attempt(step, on: current, asksStore: asksStore)
      }
      switch ended {
      case .done(let outcome): return outcome
      case .paired(let other):
        cache.setHome(other, of: name)
        home = other
      case .conflict:
        conflicts += 1
        guard conflicts < Self.attempts else { throw StoreError.conflict }
        cache.removeHome(of: name)
        home = name
      }
    }
  }

  /// Runs a step once; the caller is in the library's queue.
  private func attempt<Outcome: Sendable>(
    _ step: @Sendable (LibraryName, Replica?) async throws -> Result<Outcome>,
    on home: LibraryName,
    asksStore: Bool
  ) async throws -> Attempt<Outcome> {
    switch try await read(home, asksStore: asksStore) {
    case .paired(let other): return .paired(with: other)
    case .library(let replica, let isNewest):
      do {
        let result = try await step(home, replica)
        if result.isStored || isNewest { return .done(result.outcome) }
        // The step has stored nothing, perhaps only because the library was old.
        return try await isUnchanged(home, since: replica) ? .done(result.outcome) : .conflict
      } catch StoreError.conflict {
        return .conflict
      }
    }
  }

  private func isUnchanged(_ name: LibraryName, since replica: Replica?) async throws -> Bool {
    guard let shared = store.shared, let replica else { return true }
    return try await shared.libraryUpdate(of: name, since: replica, within: timeouts.form) == .unchanged
  }

  /// Reads a library; the caller is in its queue.
  /// - Parameter asksStore: whether to ask the store for what is newer than the cached library.
  func read(_ name: LibraryName, asksStore: Bool) async throws -> Reading {
    if let known = cache[name] {
      guard asksStore, let shared = store.shared else { return .library(known, isNewest: !store.isShared) }
      switch try await shared.libraryUpdate(of: name, since: known, within: timeouts.form) {
      case .unchanged: return .library(known, isNewest: true)
      case .changed(let replica, let home) where home == name:
        cache.insert(replica, as: name)
        return .library(replica, isNewest: true)
      case .changed(_, let home):
        cache.remove(name)
        return .paired(with: home)
      case .gone: cache.remove(name)
      }
    }
    switch try await store.libraries.library(name) {
    case .none: return .library(nil, isNewest: true)
    case .paired(let home): return .paired(with: home)
    case .library(let replica):
      cache.insert(replica, as: name)
      return .library(replica, isNewest: true)
    }
  }

  /// Stores a changed library, and caches it; the caller is in its queue.
  /// - Returns: whether the library is new.
  func save(
    _ replica: Replica,
    changedSince sequence: UInt64,
    as name: LibraryName,
    within quota: LibraryQuota,
    isSignedIn: Bool
  ) async throws -> Bool {
    let isNew: Bool
    do {
      isNew = try await store.libraries.save(
        replica,
        changedSince: sequence,
        as: name,
        within: quota,
        isSignedIn: isSignedIn,
        at: now()
      )
    } catch StoreError.conflict where store.isShared {
      // The cached library stays: it is old, but the update since then completes it.
      throw StoreError.conflict
    } catch {
      cache.remove(name)
      throw error
    }
    cache.insert(replica, as: name)
    return isNew
  }
}

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
