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

/// A clock on which sleepers wake only by cancellation; it reports when one falls asleep.
final class StoppedClock: Clock, Sendable {
  private let (sleepers, continuation) = AsyncStream.makeStream(of: Void.self)

  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    continuation.yield()
    try await Task.sleep(for: .seconds(100_000))
  }

  /// Waits until a task sleeps.
  func someoneSleeps() async {
    for await _ in sleepers { return }
  }
}

/// A gate where fake requests wait until the test opens it; it reports each arrival.
final class Gate: Sendable {
  private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
  private let (openings, opening) = AsyncStream.makeStream(of: Void.self)

  /// Waits at the gate; cancellation ends the wait, too.
  func pass() async {
    arrival.yield()
    for await _ in openings { return }
  }

  /// Lets one request through, now or when it arrives.
  func open() { opening.yield() }

  /// Waits for one more arrival.
  func someoneArrives() async {
    for await _ in arrivals { return }
  }
}
