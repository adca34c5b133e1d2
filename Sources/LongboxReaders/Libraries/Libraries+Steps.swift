// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore

/// Steps that read or change one library, one after another in its queue.
extension Libraries {
  /// How a try to read a library, or to run a step on it, ended.
  enum Attempt<Value: Sendable>: Sendable {
    case done(Value)
    /// The name stands for this other library, whose queue the step belongs to.
    case paired(with: LibraryName)
    /// The library was changed or removed since it was read.
    case conflict
  }

  /// A library as it was read for a step.
  struct ReadLibrary: Sendable {
    let replica: Replica?
    /// False for a cached library of a shared store, which may be old.
    let isNewest: Bool
  }

  /// The result of a step.
  struct StepResult<Outcome: Sendable>: Sendable {
    let outcome: Outcome
    /// Whether the step has stored something, which proves that it ran on the newest library.
    let isStored: Bool
  }

  /// How many times a step is tried while other nodes change the library.
  private static let attempts = 100

  /// An empty library with a random device number.
  static var new: Replica { Replica(device: .random(in: 1...UInt64.max)) }

  /// Runs a step in the queue of the library that a name stands for, again until it has run on the newest library.
  /// - Throws: `StoreError.conflict` if the library was changed or removed during each of a hundred attempts.
  func inQueue<Outcome: Sendable>(
    of name: LibraryName,
    _ step: @escaping @Sendable (LibraryName, Replica?) async throws -> StepResult<Outcome>
  ) async throws -> Outcome {
    var home = cache.home(of: name)
    var hadConflict = false
    var conflicts = 0
    while true {
      let (current, asks) = (home, hadConflict)
      let attempt = try await queues.run(current) { () async throws -> Attempt<Outcome> in
        try await run(step, on: current, asking: asks)
      }
      switch attempt {
      case .done(let outcome): return outcome
      case .paired(let other):
        cache.setHome(other, of: name)
        home = other
      case .conflict:
        conflicts += 1
        guard conflicts < Self.attempts else { throw StoreError.conflict }
        cache.removeHome(of: name)
        (home, hadConflict) = (name, true)
      }
    }
  }

  /// Runs a step on a library; the caller is in its queue.
  private func run<Outcome: Sendable>(
    _ step: @Sendable (LibraryName, Replica?) async throws -> StepResult<Outcome>,
    on home: LibraryName,
    asking: Bool
  ) async throws -> Attempt<Outcome> {
    let library: ReadLibrary
    switch try await read(home, asking: asking) {
    case .done(let read): library = read
    case .paired(let other): return .paired(with: other)
    case .conflict: return .conflict
    }
    do {
      let result = try await step(home, library.replica)
      if result.isStored || library.isNewest { return .done(result.outcome) }
      guard let shared = store.shared, let replica = library.replica else { return .done(result.outcome) }
      // The step has stored nothing, perhaps only because the library was old.
      let update = try await shared.libraryUpdate(of: home, since: replica, within: timeouts.form)
      return update == .unchanged ? .done(result.outcome) : .conflict
    } catch StoreError.conflict {
      return .conflict
    }
  }

  /// Reads a library; the caller is in its queue.
  /// - Parameter asking: whether to ask the store for what is newer than the cached library.
  func read(_ name: LibraryName, asking: Bool) async throws -> Attempt<ReadLibrary> {
    if let known = cache[name] {
      guard asking, let shared = store.shared else {
        return .done(ReadLibrary(replica: known, isNewest: !store.isShared))
      }
      switch try await shared.libraryUpdate(of: name, since: known, within: timeouts.form) {
      case .unchanged: return .done(ReadLibrary(replica: known, isNewest: true))
      case .changed(let replica, let home) where home == name:
        cache.insert(replica, as: name)
        return .done(ReadLibrary(replica: replica, isNewest: true))
      case .changed(_, let home):
        cache.remove(name)
        return .paired(with: home)
      case .gone: cache.remove(name)
      }
    }
    switch try await store.libraries.library(name) {
    case .none: return .done(ReadLibrary(replica: nil, isNewest: true))
    case .paired(let home): return .paired(with: home)
    case .library(let replica):
      cache.insert(replica, as: name)
      return .done(ReadLibrary(replica: replica, isNewest: true))
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
