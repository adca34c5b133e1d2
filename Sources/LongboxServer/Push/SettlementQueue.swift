// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxStore

/// Writes down what became of messages, as soon as the disk takes it: what comes while one write is under way goes into the
/// next, together.
///
/// The shorter the time between a message's arrival and its note, the fewer are repeated after a kill.
actor SettlementQueue {
  private let store: Store
  private let now: @Sendable () -> Date
  private var waiting: [Settlement] = []
  private var isWriting = false
  private var failure: StoreError?

  init(store: Store, now: @escaping @Sendable () -> Date) {
    self.store = store
    self.now = now
  }

  /// Takes a settlement in; whoever comes first writes for all who come meanwhile.
  func add(_ settlement: Settlement) async {
    waiting.append(settlement)
    guard !isWriting else { return }
    isWriting = true
    defer { isWriting = false }
    while !waiting.isEmpty {
      let batch = waiting
      waiting = []
      do throws(StoreError) {
        try await store.settle(batch, at: now())
      } catch {
        failure = error
      }
    }
  }

  /// Makes sure that all was written.
  ///
  /// To be called when all who add have returned.
  /// - Throws: `StoreError` where something was not. It is tried again then, as after a kill.
  func finish() throws(StoreError) {
    if let failure { throw failure }
  }
}
