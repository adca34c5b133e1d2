// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// The faults that are set, in the order in which they came; the first that strikes a request is the only one for it.
final class FaultPlan: Sendable {
  /// A fault and how far it has come.
  struct Entry: Sendable {
    let id: Int
    let fault: Fault
    /// How many requests it has struck.
    var struck = 0
    fileprivate var generator: SeededGenerator

    /// Whether it has struck as often as it was to.
    var isSpent: Bool { fault.times.map { struck >= $0 } ?? false }
  }

  private struct State {
    var entries: [Entry] = []
    var lastID = 0
  }

  private let state = Mutex(State())

  /// All faults since the last reset, spent ones too, so that a test can see that its fault did strike.
  var entries: [Entry] { state.withLock { $0.entries } }

  /// Sets a fault and returns its id.
  func add(_ fault: Fault) -> Int {
    state.withLock { state in
      state.lastID += 1
      state.entries.append(
        Entry(id: state.lastID, fault: fault, generator: SeededGenerator(seed: fault.seed))
      )
      return state.lastID
    }
  }

  /// Takes one fault back; false if there is none of that id.
  func remove(_ id: Int) -> Bool {
    state.withLock { state in
      let count = state.entries.count
      state.entries.removeAll { $0.id == id }
      return state.entries.count < count
    }
  }

  /// Takes all faults back.
  func clear() {
    state.withLock { $0.entries = [] }
  }

  /// The fault that strikes a request, if any; it counts as having struck.
  func strike(_ matches: (FaultMatch) -> Bool) -> Entry? {
    state.withLock { state in
      for index in state.entries.indices {
        guard !state.entries[index].isSpent, matches(state.entries[index].fault.match) else { continue }
        let probability = state.entries[index].fault.probability
        guard
          probability >= 1 || Double.random(in: 0..<1, using: &state.entries[index].generator) < probability
        else { continue }
        state.entries[index].struck += 1
        return state.entries[index]
      }
      return nil
    }
  }
}
