// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// A clock on which sleeping takes no time: it jumps to the deadline, and records each sleep.
package final class JumpingClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    package var offset: Duration

    package init(offset: Duration) {
      self.offset = offset
    }

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let state = Mutex((now: Duration.zero, sleeps: [Duration]()))

  package init() {}

  package var now: Instant { Instant(offset: state.withLock { $0.now }) }
  package var minimumResolution: Duration { .nanoseconds(1) }

  package var sleeps: [Duration] { state.withLock { $0.sleeps } }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.sleeps.append(deadline.offset - state.now)
      state.now = max(state.now, deadline.offset)
    }
  }

  package func advance(by duration: Duration) {
    state.withLock { $0.now += duration }
  }
}
