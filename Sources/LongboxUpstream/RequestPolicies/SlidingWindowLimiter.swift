// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// A source refuses to answer calls, because there were too many.
public struct SourcePause: Equatable, Sendable {
  /// When it began.
  public var since: Date
  /// When the next call may go out.
  public var nextTry: Date

  /// Makes a pause.
  public init(since: Date, nextTry: Date) {
    self.since = since
    self.nextTry = nextTry
  }
}

/// Allows one call at a time, and a limited number in any time span.
///
/// Callers that are too early wait in a queue and can ask for how long.
///
/// A call counts when it goes out, so a pause delays the whole queue, and a recovering source meets no crowd.
///
/// While the source refuses calls, the pauses between two tries double, up to an hour.
///
/// A ``TokenBucket`` spaces calls evenly. This limiter allows a whole limit ("20 calls a minute") at once,
/// and then makes readers wait; stored replies serve most of them.
public actor SlidingWindowLimiter<Time: Clock> where Time.Duration == Duration {
  private struct Waiter {
    let ticket: Int
    let address: WebAddress
  }

  /// The longest queue; further callers are rejected, because they would wait for half an hour.
  private static var most: Int { 400 }
  /// The longest pause, unless the source asks for more.
  private static var longestPause: Duration { .seconds(3600) }

  private let limit: Int
  private let span: Duration
  private let clock: Time
  private let now: @Sendable () -> Date
  /// When the last calls went out, at most `limit` of them.
  private var calls: [Time.Instant] = []
  private var queue: [Waiter] = []
  private var out: WebAddress?
  /// Held by the first in the queue, and while its call is under way.
  private let mutex = AsyncMutex()
  private var lastTicket = 0
  private var pausedUntil: Time.Instant
  /// When the first call was refused since the last answer, and how many were.
  private var refused: (since: Date, count: Int)?

  /// Makes a limiter without calls.
  /// - Parameters:
  ///   - limit: the most calls in any span.
  ///   - span: the length of the time window.
  ///   - clock: the clock.
  ///   - now: the time, for people.
  public init(limit: Int, span: Duration, clock: Time, now: @escaping @Sendable () -> Date = { Date() }) {
    self.limit = max(1, limit)
    self.span = span
    self.clock = clock
    self.now = now
    pausedUntil = clock.now
  }

  /// The number of callers in ``acquire(_:)``.
  var queueLength: Int { queue.count }

  /// Waits until a call may go out, and counts it.
  ///
  /// A caller that gets through must call ``release()``. A cancelled task leaves the queue uncounted.
  /// - Parameter address: the address of the call, for ``waitingTime(for:)``.
  /// - Throws: `CancellationError`, also if the queue is too long.
  public func acquire(_ address: WebAddress) async throws {
    guard queue.count < Self.most else { throw CancellationError() }
    lastTicket += 1
    let ticket = lastTicket
    queue.append(Waiter(ticket: ticket, address: address))
    defer { queue.removeAll { $0.ticket == ticket } }
    try await mutex.lock()
    do {
      while true {
        let turn = turn(at: 0)
        guard turn > clock.now else { break }
        try await clock.sleep(until: turn, tolerance: nil)
      }
    } catch {
      await mutex.unlock()
      throw error
    }
    out = address
    count()
  }

  /// Counts a call that goes out; a redirect does so without waiting.
  func count() {
    calls.append(clock.now)
    calls.removeFirst(max(0, calls.count - limit))
  }

  /// Ends the call under way, so that the next may go out.
  public func release() async {
    out = nil
    await mutex.unlock()
  }

  /// How long a call has to wait: the one in the queue for an address, or else a new one.
  ///
  /// The call under way has no wait left. How long it will take is unknown and counts as zero.
  /// - Parameters:
  ///   - address: the address of the call.
  ///   - others: the number of calls that enter the queue before a new one.
  public func waitingTime(for address: WebAddress, behind others: Int = 0) -> Duration {
    guard address != out else { return .zero }
    let place = queue.firstIndex { $0.address == address } ?? queue.count + others
    let now = clock.now
    return max(.zero, now.duration(to: turn(at: place)))
  }

  /// Lets no call out for a time, because the source has refused one.
  /// - Parameters:
  ///   - asked: the pause that the source asks for.
  ///   - first: the pause after the first refused call if it asks for none.
  func noteRefused(asked: Duration?, first: Duration) {
    let earlier = refused?.count ?? 0
    refused = (since: refused?.since ?? now(), count: earlier + 1)
    let pause = asked ?? min(first * (1 << min(earlier, 20)), Self.longestPause)
    pausedUntil = max(pausedUntil, clock.now.advanced(by: pause))
  }

  /// Lets the next pause be short, because the source has answered.
  func noteAnswer() {
    refused = nil
  }

  /// The pause under way; nil once the next call may go out.
  public var currentPause: SourcePause? {
    let rest = clock.now.duration(to: pausedUntil)
    guard let refused, rest > .zero else { return nil }
    return SourcePause(
      since: refused.since,
      nextTry: now().addingTimeInterval(TimeInterval(rest.components.seconds))
    )
  }

  /// When the call at a place in the queue may go out: a span after the call `limit` places before it.
  private func turn(at place: Int) -> Time.Instant {
    var times = calls
    let start = max(clock.now, pausedUntil)
    for _ in 0...place {
      let oldest = times.count >= limit ? times[times.count - limit] : nil
      times.append(max(start, oldest?.advanced(by: span) ?? start))
    }
    return times[times.count - 1]
  }
}
