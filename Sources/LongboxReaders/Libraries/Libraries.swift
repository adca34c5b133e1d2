// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import LongboxCatalog
public import LongboxCore
public import LongboxStore

/// The readers' libraries: in memory while they are used, and on the disk before an edit returns.
///
/// Each library has a queue of its own. Reading one that is in memory waits for nobody.
public struct Libraries: Sendable {
  private enum Step<Outcome: Sendable>: Sendable {
    case done(Outcome)
    /// The name means another library.
    case moved(LibraryName)
  }

  private let store: Store
  private let now: @Sendable () -> Date
  private let queues = SerialQueues<LibraryName>()
  /// Only steps in a library's queue change what is here, so it is always what is stored.
  private let cache: MemoryCache<LibraryName, Replica>

  /// The bytes in memory of a register, besides its key and value.
  private static let registerCost = 144

  /// Makes the libraries of a store.
  /// - Parameters:
  ///   - store: where they are kept.
  ///   - memory: the bytes of libraries in memory, at most. The largest library takes a third of the default.
  ///   - now: the time.
  public init(store: Store, memory: Int = 64 << 20, now: @escaping @Sendable () -> Date) {
    self.store = store
    self.now = now
    cache = MemoryCache(limit: memory)
  }

  /// Lets a step read and change a library, and stores what it changed before this returns.
  ///
  /// Steps of one library run one after another, so that none overwrites what another did.
  /// - Parameters:
  ///   - name: whose library.
  ///   - makes: whether one is made where there is none; else the step does not run.
  ///   - step: what is to be done; it says what was asked of it.
  /// - Returns: what the step returned, or nothing where there is no library.
  /// - Throws: `StoreError`. Nothing is changed then.
  @discardableResult
  public func edit<Outcome: Sendable>(
    _ name: LibraryName,
    makes: Bool,
    _ step: @escaping @Sendable (inout Replica) -> Outcome
  ) async throws -> Outcome? {
    try await edit(name, makes: makes, waiting: step)
  }

  /// The same with a step that waits, by which tests show who waits for whom.
  @discardableResult
  func edit<Outcome: Sendable>(
    _ name: LibraryName,
    makes: Bool,
    waiting step: @escaping @Sendable (inout Replica) async -> Outcome
  ) async throws -> Outcome? {
    try await inQueue(of: name) { home, stored in
      guard var replica = stored ?? (makes ? Self.new : nil) else { return nil }
      let before = replica.library.sequence
      let outcome = await step(&replica)
      if replica.library.sequence != before { try await save(replica, changedSince: before, as: home) }
      return outcome
    }
  }

  /// What a library holds now; nothing where there is none.
  public func library(_ name: LibraryName) async throws -> Library {
    try await storedLibrary(name) ?? Library()
  }

  /// A library as it is now, or nil where there is none.
  public func storedLibrary(_ name: LibraryName) async throws -> Library? {
    if let replica = cache[name] { return replica.library }
    let home = try await store.home(of: name)
    if let replica = cache[home] { return replica.library }
    return try await inQueue(of: home) { _, replica in replica?.library }
  }

  /// Whether two names mean one library.
  public func areOne(_ name: LibraryName, _ other: LibraryName) async throws -> Bool {
    try await home(of: name) == home(of: other)
  }

  /// Merges a library into another; from then on both names mean the other one.
  /// - Returns: what both hold together.
  /// - Throws: `LibraryError.full` where both together are beyond the limits; both are as before then. `StoreError`.
  public func pair(_ name: LibraryName, with other: LibraryName) async throws -> Library {
    while true {
      let (leaving, home) = (try await home(of: name), try await home(of: other))
      guard leaving != home else { return try await library(home) }
      // Always the lesser name first: two pairings of the same libraries never wait for each other.
      let paired = try await queues.run(min(leaving, home)) {
        try await queues.run(max(leaving, home)) { try await merge(leaving, into: home) }
      }
      if let paired { return paired }
    }
  }

  /// Pairs two libraries in whose queues this is.
  /// - Returns: both together, or nil where one of the names means another library by now.
  private func merge(_ leaving: LibraryName, into home: LibraryName) async throws -> Library? {
    guard case .done(let left) = try await read(leaving), case .done(let stored) = try await read(home) else {
      return nil
    }
    var replica = stored ?? Self.new
    let before = replica.library.sequence
    if let left { try replica.library.merge(left.library.changes(since: nil)) }
    // Before anything else: who finds it in memory takes it for a library that stands by itself.
    forget(leaving)
    do {
      try await store.pairLibrary(leaving, with: home, merged: replica, changedSince: before, at: now())
    } catch {
      forget(home)
      throw error
    }
    keep(replica, as: home)
    return replica.library
  }

  private static var new: Replica { Replica(device: .random(in: 1...UInt64.max)) }

  /// Runs a step in the queue of the library that a name means.
  private func inQueue<Outcome: Sendable>(
    of name: LibraryName,
    _ step: @escaping @Sendable (LibraryName, Replica?) async throws -> Outcome
  ) async throws -> Outcome {
    var name = name
    while true {
      let home = name
      let outcome = try await queues.run(home) { () async throws -> Step<Outcome> in
        switch try await read(home) {
        case .done(let replica): .done(try await step(home, replica))
        case .moved(let other): .moved(other)
        }
      }
      switch outcome {
      case .done(let outcome): return outcome
      case .moved(let other): name = other
      }
    }
  }

  /// What is in memory has not been paired with another; for all else the store is asked.
  private func home(of name: LibraryName) async throws -> LibraryName {
    cache[name] == nil ? try await store.home(of: name) : name
  }

  /// Reads a library in whose queue this is.
  private func read(_ name: LibraryName) async throws -> Step<Replica?> {
    if let replica = cache[name] { return .done(replica) }
    switch try await store.library(name) {
    case .none: return .done(nil)
    case .paired(let home): return .moved(home)
    case .library(let replica):
      keep(replica, as: name)
      return .done(replica)
    }
  }

  private func save(_ replica: Replica, changedSince sequence: UInt64, as name: LibraryName) async throws {
    do {
      try await store.saveLibrary(replica, changedSince: sequence, as: name, at: now())
    } catch {
      forget(name)
      throw error
    }
    keep(replica, as: name)
  }

  /// After a failed write, what is on the disk counts.
  private func forget(_ name: LibraryName) {
    cache.remove(name)
  }

  private func keep(_ replica: Replica, as name: LibraryName) {
    var replica = replica
    replica.library.rememberDigest()
    let cost = replica.library.size + Self.registerCost * (replica.library.entries.count + 1)
    cache.insert(replica, for: name, cost: cost)
  }
}
