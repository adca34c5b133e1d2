// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import LongboxCatalog
public import LongboxCore
public import LongboxStore
import Synchronization

/// The readers' libraries: cached in memory, and on disk before an edit returns.
///
/// Each library has its own queue. Reading a cached library never waits for an edit.
///
/// Where several nodes share a database, a cached library may be old. So a read first asks the store for newer changes. An
/// edit runs on the cached library. If that was old, the store rejects the result, and the edit runs again on the newest.
public struct Libraries: Sendable {
  let store: Store
  let cache: LibraryCache
  let steps: LibrarySteps
  private let limits: StorageLimits
  let now: @Sendable () -> Date
  private let newLibraries: any RateLimiter
  /// Each node counts by itself, because changes are too frequent to be counted in a database.
  private let newBytes: AddressRateLimiter
  private let notes = NotesInProgress()
  /// Merges large libraries that are paired.
  let mergeThread = SerialThread(label: "longbox.pairing")
  /// Maximum wait of a page for its note.
  private let noteWait: Duration
  /// How long to wait for a shared store.
  private let timeouts: SharedStoreTimeouts
  private let outage = SharedStoreOutage()

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
    let newBytes = max(limits.newBytesPerAddress, 1)
    self.newBytes = AddressRateLimiter(burst: newBytes, interval: 86_400 / Double(newBytes))
    self.noteWait = noteWait
    self.timeouts = timeouts
    self.now = now
    cache = LibraryCache(memory: memory, isShared: store.isShared)
    steps = LibrarySteps(store: store, cache: cache, timeouts: timeouts, now: now)
  }

  /// Runs a step that changes a library, and stores the changes before it returns the step's result.
  ///
  /// Steps on one library run one after another, so that none overwrites another's changes. A missing
  /// library is created if `makes` is true; otherwise the step doesn't run, and the result is nil. A step runs again, on the
  /// newest library, if the library was changed since it was read, so it changes nothing else.
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

  /// The same without a time limit; the step may wait, such as for its turn.
  /// - Throws: as the other one, and what the step throws; the library is unchanged then.
  @discardableResult
  public func edit<Outcome: Sendable>(
    _ name: LibraryName,
    makes: Bool,
    for client: ClientAddress = .unknown,
    isSignedIn: Bool = false,
    waiting step: @escaping @Sendable (inout Replica) async throws -> Outcome
  ) async throws -> Outcome? {
    try await steps.run(on: name) { home, stored in
      guard var replica = stored ?? (makes ? LibrarySteps.newReplica : nil) else {
        return LibrarySteps.Result(outcome: nil, isStored: false)
      }
      let before = replica.library.sequence
      let outcome = try await step(&replica)
      guard replica.library.sequence != before else {
        return LibrarySteps.Result(outcome: outcome, isStored: false)
      }
      let saved = replica
      let growth = replica.library.size - (stored?.library.size ?? 0)
      try await counting(stored == nil, growth: isSignedIn ? 0 : growth, by: client) { quota in
        try await steps.save(saved, changedSince: before, as: home, within: quota, isSignedIn: isSignedIn)
      }
      return LibrarySteps.Result(outcome: outcome, isStored: true)
    }
  }

  /// Makes a library for something that belongs to it, such as a feed; an existing one counts as used today.
  /// - Throws: `StoreError`; `TooManyNew` if the client has created too many libraries.
  public func make(
    _ name: LibraryName,
    for client: ClientAddress = .unknown,
    isSignedIn: Bool = false
  ) async throws {
    _ = try await inTime { try await making(name, for: client, isSignedIn: isSignedIn) }
  }

  /// The same without a time limit.
  /// - Returns: the library.
  func making(_ name: LibraryName, for client: ClientAddress, isSignedIn: Bool) async throws -> Library {
    try await steps.run(on: name) { home, stored in
      let replica = stored ?? LibrarySteps.newReplica
      let sequence = replica.library.sequence
      try await counting(stored == nil, growth: 0, by: client) { quota in
        try await steps.save(replica, changedSince: sequence, as: home, within: quota, isSignedIn: isSignedIn)
      }
      return LibrarySteps.Result(outcome: replica.library, isStored: true)
    }
  }

  /// Stores what a page noted about its reader, such as the place.
  ///
  /// The page waits only briefly, and doesn't fail if the note can't be stored: a full or locked disk loses the note.
  /// - Parameters:
  ///   - written: what the page wrote.
  ///   - name: the library. A missing one is not created.
  ///   - client: the address of the client.
  ///   - onFailure: is called with the error if the disk fails.
  public func note(
    _ written: Library,
    in name: LibraryName,
    for client: ClientAddress = .unknown,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) async {
    guard notes.begin(name) else { return }
    let ended: Void? = try? await withTimeout(noteWait) { [self] in
      do {
        // A full library takes no more notes.
        try await edit(
          name,
          makes: false,
          for: client,
          waiting: { replica in try? replica.library.merge(written) }
        )
      } catch {
        onFailure(error)
      }
      notes.end(name)
    }
    if ended == nil { notes.markLate(name) }
  }

  /// Saves a library, and counts what it takes of its client's allowances; what can't be saved isn't counted.
  /// - Parameters:
  ///   - isMissing: whether there is no library with this name yet.
  ///   - growth: by how much it grows, in bytes; it counts only while the library is new.
  ///   - client: the client's address.
  ///   - save: saves it within a quota, and returns whether it is new.
  /// - Throws: `TooManyNew`; what `save` throws; `StoreError` if nodes count together.
  func counting(
    _ isMissing: Bool,
    growth: Int,
    by client: ClientAddress,
    _ save: (LibraryQuota) async throws -> Bool
  ) async throws {
    if isMissing, let seconds = try await newLibraries.take(client, at: now()) {
      throw TooManyNew(retryAfter: seconds)
    }
    do {
      try await countingGrowth(max(growth, 0), by: client, save)
    } catch {
      // The first error says more.
      if isMissing { try? await newLibraries.refund(client, at: now()) }
      throw error
    }
  }

  private func countingGrowth(
    _ growth: Int,
    by client: ClientAddress,
    _ save: (LibraryQuota) async throws -> Bool
  ) async throws {
    var quota = limits.libraries
    let wait = growth > 0 ? newBytes.take(client, count: growth, at: now()) : nil
    // Only the store knows whether the library is new.
    if wait != nil { quota.newLibrary = 0 }
    var isNew = false
    defer { if wait == nil, !isNew { newBytes.refund(client, count: growth) } }
    do {
      isNew = try await save(quota)
    } catch StoreError.quota(.newLibrary) {
      if let wait { throw TooManyNew(retryAfter: wait) }
      throw StoreError.quota(.newLibrary)
    }
  }

  /// Removes abandoned libraries, at most once a day.
  /// - Returns: how many.
  public func expire() async throws(StoreError) -> Int {
    let removed = try await store.forLeader.libraries.expire(
      idleDays: limits.idleDays,
      unusedDays: limits.unusedDays,
      at: now()
    )
    for name in removed { cache.remove(name) }
    return removed.count
  }

  /// The current library with its clock, to render a page on a copy; nil if there is none.
  public func storedReplica(_ name: LibraryName) async throws -> Replica? {
    guard let known = try await rememberedReplica(name) else { return nil }
    switch try await timelyUpdate(of: name, since: known) {
    case .unchanged, nil: return known
    case .gone:
      cache.remove(name)
      return nil
    case .changed(let replica, let home):
      cache.setHome(home, of: name)
      cache.insertIfNewer(replica, as: home)
      return replica
    }
  }

  /// The library as this node knows it, for what an edit confirms; nil if there is none.
  ///
  /// It may lack what was changed a moment ago at another node.
  public func rememberedReplica(_ name: LibraryName) async throws -> Replica? {
    if let replica = cache[cache.home(of: name)] { return replica }
    let home = try await store.libraries.home(of: name)
    cache.setHome(home, of: name)
    if let replica = cache[home] { return replica }
    return try await steps.run(on: home) { _, replica in .init(outcome: replica, isStored: false) }
  }

  /// The current library; empty if there is none.
  public func library(_ name: LibraryName) async throws -> Library {
    try await storedLibrary(name) ?? Library()
  }

  /// The current library; nil if there is none.
  public func storedLibrary(_ name: LibraryName) async throws -> Library? {
    try await storedReplica(name)?.library
  }
}

/// Time limits for a shared store, whose database may be slow or down.
extension Libraries {
  /// What is new in a library; nil if a shared database doesn't answer soon, so that readers read on.
  private func timelyUpdate(of name: LibraryName, since known: Replica) async throws -> LibraryUpdate? {
    guard let shared = store.shared else { return .unchanged }
    guard !outage.isOn else { return nil }
    let limit = timeouts.page
    do {
      // The store's limit alone isn't enough: the call shares a statement with calls that may wait longer.
      let update = try await withTimeout(limit) {
        try await shared.libraryUpdate(of: name, since: known, within: limit)
      }
      if update == nil { outage.begin() }
      return update
    } catch let error as StoreError where error.isOutage {
      outage.begin()
      return nil
    }
  }

  /// Waits for work on a shared store, for a limited time; the work goes on after that.
  func inTime<Value: Sendable>(
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
}

/// The notes that are being written, by library.
///
/// A library whose notes take too long takes no more until they have ended, so that a slow disk makes no queue
/// in front of the reader's forms.
private final class NotesInProgress: Sendable {
  private struct State {
    var counts: [LibraryName: Int] = [:]
    var late: Set<LibraryName> = []
  }

  private let state = Mutex(State())

  /// Begins a note.
  /// - Returns: false if the library's notes are late.
  func begin(_ name: LibraryName) -> Bool {
    state.withLock { state in
      guard !state.late.contains(name) else { return false }
      state.counts[name, default: 0] += 1
      return true
    }
  }

  /// Marks a library's notes as late, because a page has stopped waiting for one.
  func markLate(_ name: LibraryName) {
    state.withLock { state in
      if state.counts[name] != nil { state.late.insert(name) }
    }
  }

  func end(_ name: LibraryName) {
    state.withLock { state in
      guard let count = state.counts[name], count > 1 else {
        state.counts[name] = nil
        state.late.remove(name)
        return
      }
      state.counts[name] = count - 1
    }
  }
}

/// How long readers wait for a database that other nodes share.
public struct SharedStoreTimeouts: Sendable {
  /// Maximum wait of a page for newer changes; after that it shows what the node has cached.
  public var page = Duration.seconds(1)
  /// Maximum wait of a form or a sync to be stored.
  public var form = Duration.seconds(5)

  public init() {}
}

/// Remembers for a second that a shared database didn't answer, so that not every page waits for it.
private final class SharedStoreOutage: Sendable {
  private static let memory = Duration.seconds(1)
  private let end = Mutex<ContinuousClock.Instant?>(nil)

  var isOn: Bool { end.withLock { end in end.map { ContinuousClock.now < $0 } ?? false } }

  func begin() { end.withLock { $0 = ContinuousClock.now + Self.memory } }
}

extension Date {
  /// Milliseconds since 1970-01-01 UTC, the time unit of libraries.
  package var milliseconds: UInt64 { UInt64(within: timeIntervalSince1970 * 1000) }
}
