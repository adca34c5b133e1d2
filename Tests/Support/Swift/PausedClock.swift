// Longbox
// SPDX-License-Identifier: MIT

/// A clock whose sleepers sleep until a test wakes them.
package final class PausedClock: Clock {
  package typealias Instant = ContinuousClock.Instant

  private let (gate, opening) = AsyncStream.makeStream(of: Void.self)
  /// An element for each sleeper that falls asleep.
  package let asleep: AsyncStream<Void>
  private let sleeps: AsyncStream<Void>.Continuation

  package init() {
    (asleep, sleeps) = AsyncStream.makeStream()
  }

  package var now: Instant { .now }
  package var minimumResolution: Duration { .nanoseconds(1) }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    sleeps.yield()
    for await _ in gate { return }
  }

  /// Wakes one sleeper, now or when it falls asleep.
  package func wake() { opening.yield() }
}
