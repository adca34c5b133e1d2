// Longbox
// SPDX-License-Identifier: MIT

/// Allows requests at a ``Pace``, and none while the source has asked for a pause.
///
/// The bucket is stored as one instant, the "theoretical arrival time" of the generic cell rate algorithm
/// (ITU-T I.371). So no timer fills it and no fraction is lost.
public actor TokenBucket<Time: Clock> where Time.Duration == Duration {
  /// The most waiting callers; further ones are rejected, because they would wait too long.
  private static var mostWaiters: Int { 400 }

  private let pace: Pace
  private let clock: Time
  /// When the bucket will be full again.
  private var full: Time.Instant
  /// The end of the pause that the source has asked for.
  private var heldUntil: Time.Instant
  /// The leader's term at the last request, see ``take(_:term:locking:)``.
  private var term: Int?
  /// The number of callers that wait in ``take(_:term:locking:)``.
  private(set) var waiterCount = 0

  /// Makes a full bucket.
  public init(_ pace: Pace, clock: Time) {
    self.pace = pace
    self.clock = clock
    full = clock.now
    heldUntil = clock.now
  }

  /// Waits until a request may be sent, and counts it.
  ///
  /// A reader's request may go ahead of the pace by ``Pace/readerBurst`` requests; background requests then
  /// wait until the source has had its rest. A cancelled task takes nothing. The order of tasks that wait at
  /// the same priority is undefined.
  /// - Parameters:
  ///   - priority: whether a reader waits for the answer.
  ///   - term: the leader's term; a new term begins with an empty bucket, since the last requests of the previous
  ///     leader are unknown.
  ///   - mutex: held when this returns, so the request counts when it is sent; the caller unlocks it. A caller that
  ///     waits for the pace doesn't hold it.
  /// - Throws: `CancellationError`, also if too many callers wait.
  public func take(
    _ priority: RequestPriority = .background,
    term: Int? = nil,
    locking mutex: AsyncMutex? = nil
  ) async throws {
    if let term, term != self.term {
      self.term = term
      full = clock.now.advanced(by: pace.interval * (pace.burst + pace.readerBurst))
    }
    let burst = pace.burst + (priority == .reader ? pace.readerBurst : 0)
    while true {
      if let mutex {
        guard await mutex.waiterCount < Self.mostWaiters else { throw CancellationError() }
        try await mutex.lock()
      }
      let now = clock.now
      let earliest = full.advanced(by: pace.interval * -(burst - 1))
      guard now < earliest else { return count(at: now) }
      await mutex?.unlock()
      guard waiterCount < Self.mostWaiters else { throw CancellationError() }
      waiterCount += 1
      defer { waiterCount -= 1 }
      try await clock.sleep(until: earliest, tolerance: nil)
    }
  }

  /// Counts a request that is sent without waiting, such as a redirect; later ones wait longer for it.
  func count() { count(at: clock.now) }

  private func count(at now: Time.Instant) {
    full = max(now, full).advanced(by: pace.interval)
  }

  /// Stops requests to the source for a time.
  public func hold(for duration: Duration) {
    heldUntil = max(heldUntil, clock.now.advanced(by: duration))
  }

  /// The rest of the pause, or nil if requests are allowed.
  public var remainingHold: Duration? {
    let now = clock.now
    return now < heldUntil ? now.duration(to: heldUntil) : nil
  }
}
