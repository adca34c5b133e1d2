// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore
import Synchronization

/// What the store knows of explanations, with the latest ones parsed in memory.
///
/// Only wikitext is stored. Everything else is parsed again, so that better rules improve stored pages too.
final class ExplanationCache: Sendable {
  private struct Memory {
    /// Increases with each change, so that a value read before a change is not cached after it.
    var changes = 0
    var totals: ExplanationTotals?
    /// The last change in the store when this node last looked.
    var lastChange = 0
  }

  private let store: Store
  private let states: MemoryCache<Comic.Number, ExplanationState>
  private let memory = Mutex(Memory())

  /// - Parameter memoryLimit: the most bytes of explanations in memory.
  init(store: Store, memoryLimit: Int) {
    self.store = store
    states = MemoryCache(limit: memoryLimit)
  }

  /// What is known of an explanation, without asking the wiki.
  func state(of number: Comic.Number) async throws -> ExplanationState {
    if let state = states[number] { return state }
    let changes = memory.withLock { $0.changes }
    let state = ExplanationState(try await store.explanations.explanation(of: number))
    // Under the lock, so that no change comes between the check and the insertion.
    memory.withLock { memory in
      if memory.changes == changes { states.insert(state, for: number, cost: state.cost) }
    }
    return state
  }

  /// Counts of the stored explanations.
  func totals() async throws -> ExplanationTotals {
    if let totals = memory.withLock({ $0.totals }) { return totals }
    let changes = memory.withLock { $0.changes }
    let totals = try await store.explanations.totals()
    memory.withLock { memory in
      if memory.changes == changes { memory.totals = totals }
    }
    return totals
  }

  /// Stores explanations.
  /// - Returns: the comics whose text has changed.
  func save(_ fetched: [FetchedExplanation]) async throws -> [Comic.Number] {
    let changed = try await store.explanations.save(fetched)
    memory.withLock { memory in
      memory.changes += 1
      memory.totals = nil
    }
    for explanation in fetched { states.remove(explanation.number) }
    return changed
  }

  /// Empties the memory if the store has newer changes, because another node may have made them.
  /// - Returns: whether there were any.
  func forgetChanged() async throws -> Bool {
    let totals = try await store.explanations.totals()
    let hasChanged = memory.withLock { memory in
      guard totals.change > memory.lastChange else { return false }
      memory.lastChange = totals.change
      memory.changes += 1
      memory.totals = nil
      return true
    }
    if hasChanged { states.removeAll() }
    return hasChanged
  }
}

extension ExplanationState {
  /// The approximate size in memory, in bytes.
  fileprivate var cost: Int {
    guard case .stored(let explanation) = self else { return 64 }
    return 256 + explanation.lead.count + explanation.linkedLead.bytes.count
      + explanation.document.bytes.count
  }
}
