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
      guard var replica = try await read(name) ?? (makes ? Replica(device: .random(in: 1...UInt64.max)) : nil)
      else { return nil }
      let before = replica.library.sequence
      let outcome = step(&replica)
      guard replica.library.sequence != before else { return outcome }
      try await store.saveLibrary(replica.encoded(), as: name, at: now())
      cache.insert(replica, for: name, cost: replica.library.size + 64 * replica.library.entries.count)
      return outcome
    }
  }

  private func read(_ name: LibraryName) async throws -> Replica? {
    if let replica = cache[name] { return replica }
    guard let bytes = try await store.library(name) else { return nil }
    let replica = try Replica(decoding: bytes)
    cache.insert(replica, for: name, cost: bytes.count)
    return replica
  }
}
