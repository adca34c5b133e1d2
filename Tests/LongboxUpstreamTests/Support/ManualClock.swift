// Longbox
// SPDX-License-Identifier: MIT

import Synchronization
import TestSupport

/// A clock that moves only when advanced; sleepers wake when it reaches their deadline.
final class ManualClock: Clock, Sendable {
  typealias Instant = JumpingClock.Instant

  private struct Sleeper {
    let deadline: Duration
    let wake: CheckedContinuation<Void, Never>
  }

  private let state = Mutex((now: Duration.zero, sleepers: [Sleeper]()))

  var now: Instant { Instant(offset: state.withLock { $0.now }) }
  var minimumResolution: Duration { .nanoseconds(1) }

  var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    await withCheckedContinuation { wake in
      let isOver = state.withLock { state in
        guard state.now < deadline.offset else { return true }
        state.sleepers.append(Sleeper(deadline: deadline.offset, wake: wake))
        return false
      }
      if isOver { wake.resume() }
    }
  }

  /// Advances the time, and wakes the sleepers whose deadline has come.
  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now += duration
      let now = state.now
      let woken = state.sleepers.filter { $0.deadline <= now }
      state.sleepers.removeAll { $0.deadline <= now }
      return woken
    }
    for sleeper in woken { sleeper.wake.resume() }
  }
}
