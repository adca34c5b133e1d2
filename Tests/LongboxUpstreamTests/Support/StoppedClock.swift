// Longbox
// SPDX-License-Identifier: MIT

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
