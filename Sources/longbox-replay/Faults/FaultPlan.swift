// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// The active faults, in order of creation; at most one applies to a request, the first.
final class FaultPlan: Sendable {
  struct Entry: Sendable {
    let id: Int
    let fault: Fault
    /// The number of requests affected.
    var uses = 0
    fileprivate var generator: SeededGenerator

    /// Whether it has reached its number of requests.
    var isSpent: Bool { fault.times.map { uses >= $0 } ?? false }
  }

  private struct State {
    var entries: [Entry] = []
    var lastID = 0
  }

  private let state = Mutex(State())

  /// All faults since the last reset, including finished ones, so that tests can verify them.
  var entries: [Entry] { state.withLock { $0.entries } }

  func add(_ fault: Fault) -> Int {
    state.withLock { state in
      state.lastID += 1
      state.entries.append(
        Entry(id: state.lastID, fault: fault, generator: SeededGenerator(seed: fault.seed))
      )
      return state.lastID
    }
  }

  /// Removes a fault; false if the identifier is unknown.
  func remove(_ id: Int) -> Bool {
    state.withLock { state in
      let count = state.entries.count
      state.entries.removeAll { $0.id == id }
      return state.entries.count < count
    }
  }

  func clear() {
    state.withLock { $0.entries = [] }
  }

  /// The fault to apply to a request, if any; counts the request.
  func next(where matches: (FaultMatch) -> Bool) -> Entry? {
    state.withLock { state in
      for index in state.entries.indices {
        guard !state.entries[index].isSpent, matches(state.entries[index].fault.match) else { continue }
        let probability = state.entries[index].fault.probability
        guard
          probability >= 1 || Double.random(in: 0..<1, using: &state.entries[index].generator) < probability
        else { continue }
        state.entries[index].uses += 1
        return state.entries[index]
      }
      return nil
    }
  }
}
