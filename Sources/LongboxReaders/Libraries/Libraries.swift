// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import LongboxCatalog
public import LongboxCore
public import LongboxStore

/// The readers' libraries: cached in memory, and on disk before an edit returns.
///
/// Each library has its own queue. Reading a cached library never waits for an edit.
///
/// Where several nodes share a database, a cached library may be old. Then reading asks for what is newer, and an edit runs
/// on the cached library and is stored if that was the newest; otherwise it runs again on the newest.
public struct Libraries: Sendable {
  private enum Step<Outcome: Sendable>: Sendable {
    case done(Outcome)
    /// The name now stands for this other library.
    case moved(LibraryName)
    /// Another node has changed the library.
    case overtaken
  }

  /// A library as a step in its queue sees it.
  private struct Seen: Sendable {
    let replica: Replica?
    /// Whether the store was asked, or is not shared; a cached library of a shared store may be old.
    let isNewest: Bool
  }

  /// The result of a step, and whether it has stored something, which proves that it saw the newest library.
  private struct Attempt<Outcome: Sendable>: Sendable {
    let outcome: Outcome
    let isStored: Bool
  }

  private let store: Store
  private let now: @Sendable () -> Date
  private let queues = SerialQueues<LibraryName>()
  private let notes = NotesInProgress()
  private let limits: StorageLimits
  private let newLibraries: any RateLimiter
  /// How long a page waits for its note.
  private let noteWait: Duration
  /// How long to wait for a shared store.
  private let timeouts: SharedStoreTimeouts
  private let outage = SharedStoreOutage()
  /// Equals the store if no other node shares that, because it is changed only in a library's queue then.
  private let cache: MemoryCache<LibraryName, Replica>
  /// The libraries that names of paired devices stand for, to find the cached ones; empty unless the store is shared.
  private let homes = MemoryCache<LibraryName, LibraryName>(limit: 4 << 20)

  /// The memory of a register besides its key and value, in bytes.
  private static let registerCost = 144
  /// The memory of a name and its home, in bytes.
  private static let homeCost = 200
  /// How often an edit is tried; each time but the last, another node has changed the library.
  private static let attempts = 100

  /// Makes the libraries of a store, with a cache of at most `memory` bytes.
  ///
  /// The largest library takes a third of the default.
  /// - Parameters:
  ///   - noteWait: how long a page waits for what it notes; a note goes on after that.
  ///   - timeouts: how long pages and forms wait for a database that other nodes share.
  public init(
    store: Store,
    memory: Int = 64 << 20,
    limits: StorageLimits = StorageLimits(),
    noteWait: Duration = .milliseconds(500),
    timeouts: SharedStoreTimeouts = SharedStoreTimeouts(),
    now: @escaping @Sendable () -> Date
  ) {
    self.store = store
    self.limits = limits
    newLibraries = store.limiter(of: .newLibraries, perHour: limits.newLibrariesPerHour)
    self.noteWait = noteWait
    self.timeouts = timeouts
    self.now = now
    cache = MemoryCache(limit: memory)
  }

  /// Runs a step that changes a library, and stores the changes before it returns the step's result.
  ///
  /// Steps on one library run one after another, so that none overwrites another's changes. A missing
  /// library is created if `makes` is true; otherwise the step doesn't run, and the result is nil. A step runs again, on the
  /// newest library, if another node has changed the library, so it changes nothing else.
  /// - Parameters:
  ///   - name: the library.
  ///   - makes: whether to create a missing library.
  ///   - client: the address of the client.
  ///   - isSignedIn: whether they have signed in, so that the quota of new libraries doesn't apply.
  ///   - step: the change.
  /// - Throws: `StoreError`, or `TooManyNew` if the client has created too many libraries; the library is then
  ///   unchanged, unless a shared database was too slow: then the change may be stored later.
  @discardableResult
  public func edit<Outcome: Sendable>(
    _ name: LibraryName,
    makes: Bool,
    for client: ClientAddress = .unknown,
    isSignedIn: Bool = false,
    _ step: @escaping @Sendable (inout Replica) -> Outcome
  ) async throws -> Outcome? {
    try await inTime {
      try await edit(name, makes: makes, for: client, isSignedIn: isSignedIn, waiting: step)
    }
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
      guard var replica = stored ?? (makes ? Self.new : nil) else {
        return Attempt(outcome: nil, isStored: false)
      }
      let before = replica.library.sequence
      let outcome = await step(&replica)
      guard replica.library.sequence != before else { return Attempt(outcome: outcome, isStored: false) }
      if stored == nil { try await countNew(by: client) }
      try await save(replica, changedSince: before, as: home, isTrusted: isSignedIn)
      return Attempt(outcome: outcome, isStored: true)
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
  /// - Throws: `TooManyNew`; `StoreError` if nodes count together.
  public func countNew(by client: ClientAddress) async throws {
    if let seconds = try await newLibraries.take(client, at: now()) { throw TooManyNew(retryAfter: seconds) }
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
    guard let known = try await rememberedReplica(name) else { return nil }
    switch try await timelyUpdate(of: name, since: known) {
    case .unchanged, nil: return known
    case .gone:
      forget(name)
      return nil
    case .changed(let replica, let home):
      remember(home, of: name)
      keepNewer(replica, as: home)
      return replica
    }
  }

  /// What is new in a library; nil if a shared database doesn't answer soon, so that readers read on.
  private func timelyUpdate(of name: LibraryName, since known: Replica) async throws -> LibraryUpdate? {
    guard store.isShared else { return .unchanged }
    guard !outage.isOn else { return nil }
    do {
      let update = try await withTimeout(timeouts.page) { [store] in
        try await store.libraryUpdate(of: name, since: known)
      }
      if let update { return update }
    } catch let error as StoreError where error.isOutage {
    }
    outage.begin()
    return nil
  }

  /// Waits for work on a shared store, for a limited time; the work goes on after that.
  private func inTime<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard store.isShared else { return try await work() }
    guard let value = try await withTimeout(timeouts.form, work) else {
      throw StoreError.unreachable(
        database: store.location.database.map { "\($0)" } ?? "",
        reason: "it didn't answer within \(timeouts.form)"
      )
    }
    return value
  }

  /// The library as this node knows it, for what an edit confirms; nil if there is none.
  ///
  /// It may lack what was changed a moment ago at another node.
  public func rememberedReplica(_ name: LibraryName) async throws -> Replica? {
    if let replica = cache[homes[name] ?? name] { return replica }
    let home = try await store.home(of: name)
    remember(home, of: name)
    if let replica = cache[home] { return replica }
    return try await inQueue(of: home) { _, replica in Attempt(outcome: replica, isStored: false) }
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
    try await inTime { try await merge(name, with: other, for: client) }
  }

  private func merge(
    _ name: LibraryName,
    with other: LibraryName,
    for client: ClientAddress
  ) async throws -> Library {
    while true {
      let (leaving, home) = (try await self.home(of: name), try await self.home(of: other))
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
      if stored == nil { try await countNew(by: client) }
      let replica = stored ?? Self.new
      try await save(replica, changedSince: replica.library.sequence, as: home, isTrusted: true)
      return Attempt(outcome: replica.library, isStored: true)
    }
  }

  /// Merges two libraries; the caller holds both queues.
  /// - Returns: the merged library; nil if either name stands for another library by now, or another node has changed one.
  private func merge(_ leaving: LibraryName, into home: LibraryName) async throws -> Library? {
    guard case .done(let seen) = try await read(leaving, asking: true),
      case .done(let stored) = try await read(home, asking: true)
    else { return nil }
    let left = seen.replica
    var replica = stored.replica ?? Self.new
    let before = replica.library.sequence
    if let left { try replica.library.merge(left.library.changes(since: nil)) }
    // First, because a cached name counts as unpaired.
    forget(leaving)
    do {
      try await store.pairLibrary(
        leaving,
        holding: left,
        with: home,
        merged: replica,
        changedSince: before,
        at: now()
      )
    } catch StoreError.conflict {
      forget(home)
      return nil
    } catch {
      forget(home)
      throw error
    }
    keep(replica, as: home)
    return replica.library
  }

  private static var new: Replica { Replica(device: .random(in: 1...UInt64.max)) }

  /// Runs a step in the queue of the library that a name stands for, again until it has seen the newest library.
  private func inQueue<Outcome: Sendable>(
    of name: LibraryName,
    _ step: @escaping @Sendable (LibraryName, Replica?) async throws -> Attempt<Outcome>
  ) async throws -> Outcome {
    var home = homes[name] ?? name
    var isOvertaken = false
    var attempts = 0
    while true {
      let (current, asks) = (home, isOvertaken)
      let outcome = try await queues.run(current) { () async throws -> Step<Outcome> in
        try await run(step, on: current, asking: asks)
      }
      switch outcome {
      case .done(let outcome): return outcome
      case .moved(let other):
        remember(other, of: name)
        home = other
      case .overtaken:
        attempts += 1
        guard attempts < Self.attempts else { throw StoreError.conflict }
        homes.remove(name)
        (home, isOvertaken) = (name, true)
      }
    }
  }

  /// Runs a step on a library; the caller holds its queue.
  private func run<Outcome: Sendable>(
    _ step: @Sendable (LibraryName, Replica?) async throws -> Attempt<Outcome>,
    on home: LibraryName,
    asking: Bool
  ) async throws -> Step<Outcome> {
    let seen: Seen
    switch try await read(home, asking: asking) {
    case .done(let read): seen = read
    case .moved(let other): return .moved(other)
    case .overtaken: return .overtaken
    }
    do {
      let attempt = try await step(home, seen.replica)
      if attempt.isStored || seen.isNewest { return .done(attempt.outcome) }
      guard let replica = seen.replica else { return .done(attempt.outcome) }
      // The step has changed nothing, perhaps only because the library was old.
      let isUnchanged = try await store.libraryUpdate(of: home, since: replica) == .unchanged
      return isUnchanged ? .done(attempt.outcome) : .overtaken
    } catch StoreError.conflict {
      return .overtaken
    }
  }

  /// Whether the store has to be asked which library a name stands for; a cached name is canonical otherwise.
  private func home(of name: LibraryName) async throws -> LibraryName {
    cache[name] == nil || store.isShared ? try await store.home(of: name) : name
  }

  /// Reads a library; the caller holds its queue.
  /// - Parameter asking: whether to ask the store for what is newer than the cached library.
  private func read(_ name: LibraryName, asking: Bool) async throws -> Step<Seen> {
    if let known = cache[name] {
      guard asking, store.isShared else {
        return .done(Seen(replica: known, isNewest: !store.isShared))
      }
      switch try await store.libraryUpdate(of: name, since: known) {
      case .unchanged: return .done(Seen(replica: known, isNewest: true))
      case .changed(let replica, let home) where home == name:
        keep(replica, as: name)
        return .done(Seen(replica: replica, isNewest: true))
      case .changed(_, let home):
        forget(name)
        return .moved(home)
      case .gone: forget(name)
      }
    }
    switch try await store.library(name) {
    case .none: return .done(Seen(replica: nil, isNewest: true))
    case .paired(let home): return .moved(home)
    case .library(let replica):
      keep(replica, as: name)
      return .done(Seen(replica: replica, isNewest: true))
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
    } catch StoreError.conflict {
      // The cached library is still a part of the newest one.
      throw StoreError.conflict
    } catch {
      forget(name)
      throw error
    }
    keep(replica, as: name)
  }

  /// Makes the next read use the store, after a failed write or a pairing.
  private func forget(_ name: LibraryName) {
    homes.remove(name)
    cache.remove(name)
  }

  /// Remembers which library a name stands for, where that takes a query.
  private func remember(_ home: LibraryName, of name: LibraryName) {
    guard store.isShared, home != name else { return homes.remove(name) }
    homes.insert(home, for: name, cost: Self.homeCost)
  }

  /// Caches a library that was read outside its queue, unless an edit has cached a newer one.
  private func keepNewer(_ replica: Replica, as name: LibraryName) {
    if let cached = cache[name], cached.clock.device == replica.clock.device,
      cached.library.sequence >= replica.library.sequence
    {
      return
    }
    keep(replica, as: name)
  }

  private func keep(_ replica: Replica, as name: LibraryName) {
    var replica = replica
    replica.library.rememberDigest()
    let cost = replica.library.size + Self.registerCost * (replica.library.entries.count + 1)
    cache.insert(replica, for: name, cost: cost)
  }
}
