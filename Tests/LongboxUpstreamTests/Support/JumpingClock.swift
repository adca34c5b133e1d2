// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// A clock on which sleeping takes no time: it jumps to the deadline, and records each sleep.
final class JumpingClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let state = Mutex((now: Duration.zero, sleeps: [Duration]()))

  var now: Instant { Instant(offset: state.withLock { $0.now }) }
  var minimumResolution: Duration { .nanoseconds(1) }

  var sleeps: [Duration] { state.withLock { $0.sleeps } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.sleeps.append(deadline.offset - state.now)
      state.now = max(state.now, deadline.offset)
    }
  }

  func advance(by duration: Duration) {
    state.withLock { $0.now += duration }
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
