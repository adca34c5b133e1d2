// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import LongboxCatalog
public import LongboxCore
public import LongboxStore

/// The readers' libraries: cached in memory, and on disk before an edit returns.
///
/// Each library has its own queue. Reading a cached library never waits.
public struct Libraries: Sendable {
  private enum Step<Outcome: Sendable>: Sendable {
    case done(Outcome)
    /// The name now stands for this other library.
    case moved(LibraryName)
  }

  private let store: Store
  private let now: @Sendable () -> Date
  private let queues = SerialQueues<LibraryName>()
  private let notes = NotesInProgress()
  private let limits: StorageLimits
  private let newLibraries: AddressRateLimiter
  /// How long a page waits for its note.
  private let noteWait: Duration
  /// Changed only in a library's queue, so it always equals the store.
  private let cache: MemoryCache<LibraryName, Replica>

  /// The memory of a register besides its key and value, in bytes.
  private static let registerCost = 144

  /// Makes the libraries of a store, with a cache of at most `memory` bytes.
  ///
  /// The largest library takes a third of the default.
  /// - Parameter noteWait: how long a page waits for what it notes; a note goes on after that.
  public init(
    store: Store,
    memory: Int = 64 << 20,
    limits: StorageLimits = StorageLimits(),
    noteWait: Duration = .milliseconds(500),
    now: @escaping @Sendable () -> Date
  ) {
    self.store = store
    self.limits = limits
    newLibraries = AddressRateLimiter(perHour: limits.newLibrariesPerHour)
    self.noteWait = noteWait
    self.now = now
    cache = MemoryCache(limit: memory)
  }

  /// Runs a step that changes a library, and stores the changes before it returns the step's result.
  ///
  /// Steps on one library run one after another, so that none overwrites another's changes. A missing
  /// library is created if `makes` is true; otherwise the step doesn't run, and the result is nil.
  /// - Parameters:
  ///   - name: the library.
  ///   - makes: whether to create a missing library.
  ///   - client: who asks for it.
  ///   - isSignedIn: whether they have signed in, so that the quota of new libraries doesn't apply.
  ///   - step: the change.
  /// - Throws: `StoreError`, or `TooManyNew` if the client has created too many libraries; the library is then
  ///   unchanged.
  @discardableResult
  public func edit<Outcome: Sendable>(
    _ name: LibraryName,
    makes: Bool,
    for client: ClientAddress = .unknown,
    isSignedIn: Bool = false,
    _ step: @escaping @Sendable (inout Replica) -> Outcome
  ) async throws -> Outcome? {
    try await edit(name, makes: makes, for: client, isSignedIn: isSignedIn, waiting: step)
  }

  /// The same with an asynchronous step, for tests of the order.
  @discardableResult
  func edit<Outcome: Sendable>(
    _ name: LibraryName,
    makes: Bool,
    for client: ClientAddress = .unknown,
    isSignedIn: Bool = false,
    waiting step: @escaping @Sendable (inout Replica) async -> Outcome
  ) async throws -> Outcome? {
    try await inQueue(of: name) { home, stored in
      guard var replica = stored ?? (makes ? Self.new : nil) else { return nil }
      let before = replica.library.sequence
      let outcome = await step(&replica)
      guard replica.library.sequence != before else { return outcome }
      if stored == nil { try countNew(by: client) }
      try await save(replica, changedSince: before, as: home, isTrusted: isSignedIn)
      return outcome
    }
  }

  /// Stores what a page noted about its reader, such as the place, if that can be done soon.
  ///
  /// Reading never fails and hardly waits because noting does: a full or locked disk costs the note only.
  /// - Parameters:
  ///   - written: what the page wrote.
  ///   - name: the library. A missing one is not created.
  ///   - onFailure: is called with the error if the disk fails.
  public func note(
    _ written: Library,
    in name: LibraryName,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) async {
    guard notes.begin(name) else { return }
    let ended: Void? = try? await withTimeout(noteWait) { [self] in
      do {
        // A full library takes no more notes.
        try await edit(name, makes: false) { replica in try? replica.library.merge(written) }
      } catch {
        onFailure(error)
      }
      notes.end(name)
    }
    if ended == nil { notes.markLate(name) }
  }

  /// Counts a library, or a feed of a library that is not there yet.
  /// - Throws: `TooManyNew`.
  public func countNew(by client: ClientAddress) throws(TooManyNew) {
    if let seconds = newLibraries.take(client, at: now()) { throw TooManyNew(retryAfter: seconds) }
  }

  /// Removes abandoned libraries, at most once a day.
  /// - Returns: how many.
  public func expire() async throws(StoreError) -> Int {
    let removed = try await store.expireLibraries(
      idleDays: limits.idleDays,
      unusedDays: limits.unusedDays,
      at: now()
    )
    for name in removed { forget(name) }
    return removed.count
  }

  /// The current library with its clock, to render a page on a copy; nil if there is none.
  public func storedReplica(_ name: LibraryName) async throws -> Replica? {
    if let replica = cache[name] { return replica }
    let home = try await store.home(of: name)
    if let replica = cache[home] { return replica }
    return try await inQueue(of: home) { _, replica in replica }
  }

  /// The current library; empty if there is none.
  public func library(_ name: LibraryName) async throws -> Library {
    try await storedLibrary(name) ?? Library()
  }

  /// The current library; nil if there is none.
  public func storedLibrary(_ name: LibraryName) async throws -> Library? {
    try await storedReplica(name)?.library
  }

  /// Whether two names stand for one library.
  public func areOne(_ name: LibraryName, _ other: LibraryName) async throws -> Bool {
    try await home(of: name) == home(of: other)
  }

  /// Merges a library into another; afterwards both names stand for the other one.
  ///
  /// The other library belongs to a reader with several devices, so it no longer counts as new.
  /// - Returns: the merged library.
  /// - Throws: `LibraryError.full` if the result exceeds the limits; `TooManyNew`; `StoreError`. Both are
  ///   unchanged then.
  public func pair(
    _ name: LibraryName,
    with other: LibraryName,
    for client: ClientAddress = .unknown
  ) async throws -> Library {
    while true {
      let (leaving, home) = (try await home(of: name), try await home(of: other))
      guard leaving != home else { return try await share(home, for: client) }
      // Locks in the order of names, so that two pairings of the same libraries can't deadlock.
      let paired = try await queues.run(min(leaving, home)) {
        try await queues.run(max(leaving, home)) { try await merge(leaving, into: home) }
      }
      if let paired { return paired }
    }
  }

  /// Shares a library with a device that has none; makes it if nothing is stored yet.
  private func share(_ name: LibraryName, for client: ClientAddress) async throws -> Library {
    try await inQueue(of: name) { home, stored in
      if stored == nil { try countNew(by: client) }
      let replica = stored ?? Self.new
      try await save(replica, changedSince: replica.library.sequence, as: home, isTrusted: true)
      return replica.library
    }
  }

  /// Merges two libraries; the caller holds both queues.
  /// - Returns: the merged library; nil if either name stands for another library by now.
  private func merge(_ leaving: LibraryName, into home: LibraryName) async throws -> Library? {
    guard case .done(let left) = try await read(leaving), case .done(let stored) = try await read(home) else {
      return nil
    }
    var replica = stored ?? Self.new
    let before = replica.library.sequence
    if let left { try replica.library.merge(left.library.changes(since: nil)) }
    // First, because a cached name counts as unpaired.
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

  /// Runs a step in the queue of the library that a name stands for.
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

  /// Cached names are already canonical; for others the store resolves pairings.
  private func home(of name: LibraryName) async throws -> LibraryName {
    cache[name] == nil ? try await store.home(of: name) : name
  }

  /// Reads a library; the caller holds its queue.
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

  private func save(
    _ replica: Replica,
    changedSince sequence: UInt64,
    as name: LibraryName,
    isTrusted: Bool
  ) async throws {
    do {
      try await store.saveLibrary(
        replica,
        changedSince: sequence,
        as: name,
        within: limits.libraries,
        isTrusted: isTrusted,
        at: now()
      )
    } catch {
      forget(name)
      throw error
    }
    keep(replica, as: name)
  }

  /// Makes the next read use the store, after a failed write or a pairing.
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
