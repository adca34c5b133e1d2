// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog
import LongboxCore
import LongboxStore

/// The readers' libraries: in memory while they are used, and on the disk before an answer says that something was done.
struct Libraries: Sendable {
  private let store: Store
  private let now: @Sendable () -> Date
  private let turns = Serial()
  private let cache = MemoryCache<LibraryName, Replica>(limit: 16 << 20)

  init(store: Store, now: @escaping @Sendable () -> Date) {
    self.store = store
    self.now = now
  }

  /// Lets a step read and change a library, and stores what it changed before this returns.
  ///
  /// Steps run one after another, so that none overwrites what another did.
  /// - Parameters:
  ///   - name: whose library.
  ///   - makes: whether one is made where there is none; else the step sees nothing and changes nothing.
  ///   - step: what is to be done; it says what was asked of it.
  /// - Returns: what the step returned, or nothing where there is no library.
  /// - Throws: `StoreError`, or `LibraryError` where what is stored can't be read. Nothing is overwritten then.
  func edit<Outcome: Sendable>(
    _ name: LibraryName,
    makes: Bool,
    _ step: @escaping @Sendable (inout Replica) -> Outcome
  ) async throws -> Outcome? {
    try await turns.run {
      let home = try await home(of: name)
      guard var replica = try await read(home) ?? (makes ? Self.new : nil) else { return nil }
      let before = replica.library.sequence
      let outcome = step(&replica)
      guard replica.library.sequence != before else { return outcome }
      try await store.saveLibrary(replica.encoded(), as: home, at: now())
      keep(replica, as: home)
      return outcome
    }
  }

  /// What a library holds now; nothing where there is none.
  func library(_ name: LibraryName) async throws -> Library {
    try await edit(name, makes: false) { $0.library } ?? Library()
  }

  /// Whether two names mean one library.
  func areOne(_ name: LibraryName, _ other: LibraryName) async throws -> Bool {
    try await turns.run { try await home(of: name) == home(of: other) }
  }

  /// Merges a library into another; from then on both names mean the other one.
  /// - Returns: what both hold together.
  /// - Throws: `LibraryError.full` where both together are beyond the limits; both are as before then. `StoreError`.
  func join(_ name: LibraryName, to other: LibraryName) async throws -> Library {
    try await turns.run {
      let (leaving, home) = (try await home(of: name), try await home(of: other))
      var joined = try await read(home) ?? Self.new
      guard leaving != home else { return joined.library }
      if let left = try await read(leaving) { try joined.library.merge(left.library.changes(since: nil)) }
      try await store.joinLibrary(leaving, to: home, content: joined.encoded(), at: now())
      cache.remove(leaving)
      keep(joined, as: home)
      return joined.library
    }
  }

  private static var new: Replica { Replica(device: .random(in: 1...UInt64.max)) }

  /// What is in memory stands by itself; of all else the store knows.
  private func home(of name: LibraryName) async throws -> LibraryName {
    cache[name] == nil ? try await store.home(of: name) : name
  }

  private func read(_ name: LibraryName) async throws -> Replica? {
    if let replica = cache[name] { return replica }
    guard let bytes = try await store.library(name) else { return nil }
    let replica = try Replica(decoding: bytes)
    keep(replica, as: name)
    return replica
  }

  private func keep(_ replica: Replica, as name: LibraryName) {
    cache.insert(replica, for: name, cost: replica.library.size + 64 * replica.library.entries.count)
  }
}
