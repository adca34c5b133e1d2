// Longbox
// SPDX-License-Identifier: MIT

/// Lets requests through at a ``Pace``, and none while the source has asked to be left alone.
///
/// The bucket is kept as one instant, the "theoretical arrival time" of the generic cell rate algorithm (ITU-T
/// I.371), so that no timer fills it and no fraction is lost.
public actor TokenBucket<Time: Clock> where Time.Duration == Duration {
  private let pace: Pace
  private let clock: Time
  /// When the bucket will be full again.
  private var full: Time.Instant
  /// Until when the source wants to be left alone.
  private var heldUntil: Time.Instant

  /// Makes a full bucket.
  public init(_ pace: Pace, clock: Time) {
    self.pace = pace
    self.clock = clock
    full = clock.now
    heldUntil = clock.now
  }

  /// Waits until a request may be sent, and counts it.
  ///
  /// A task that is cancelled while it waits takes nothing. Who comes first among several waiting is not
  /// settled here; a ``Turnstile`` in front settles it.
  /// - Throws: `CancellationError`.
  public func take() async throws {
    while true {
      let now = clock.now
      let earliest = full.advanced(by: pace.interval * -(pace.burst - 1))
      guard now < earliest else {
        full = max(now, full).advanced(by: pace.interval)
        return
      }
      try await clock.sleep(until: earliest, tolerance: nil)
    }
  }

  /// Keeps the source from being asked for a time.
  public func hold(for duration: Duration) {
    heldUntil = max(heldUntil, clock.now.advanced(by: duration))
  }

  /// How long the source still wants to be left alone, or nothing where it may be asked.
  public var remainingHold: Duration? {
    let now = clock.now
    return now < heldUntil ? now.duration(to: heldUntil) : nil
  }
}
