// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// An even rate of requests to a source.
public struct Pace: Hashable, Sendable {
  /// The average time between two requests.
  public var interval: Duration
  /// How many requests may go out at once after a rest.
  public var burst: Int
  /// How many more requests readers may send at once; background requests pay them back by waiting longer.
  public var readerBurst: Int

  public init(interval: Duration, burst: Int, readerBurst: Int = 0) {
    self.interval = interval
    self.burst = burst
    self.readerBurst = readerBurst
  }
}

/// A source refuses to answer requests, because there were too many.
public struct SourcePause: Equatable, Sendable {
  /// When it began.
  public var since: Date
  /// When the next request may go out.
  public var nextTry: Date

  public init(since: Date, nextTry: Date) {
    self.since = since
    self.nextTry = nextTry
  }
}

/// Lets requests to one source out at its rate, and none while the source has asked for a pause.
///
/// There are two kinds:
/// - At a ``Pace``, a reader's request passes those of the background, and in a pause each request fails at once, so
///   that none waits for minutes.
/// - In a window ("15 requests a minute"), a whole limit may go out at once. Then requests wait in the order in which
///   they came, also through a pause, and callers can ask for how long. So a recovering source meets no crowd.
///
/// A request counts when it goes out, and each redirect that is followed counts as one more.
public actor RequestLimiter {
  private struct Waiter {
    let ticket: Int
    let address: WebAddress
  }

  private struct QueueFull: Error {}

  /// The most callers that wait; further ones are rejected, because they would wait too long.
  private static var mostWaiters: Int { 400 }
  /// The longest pause, unless the source asks for more.
  private static var longestPause: Duration { .seconds(3600) }

  private var schedule: Schedule
  private let keepsOrder: Bool
  /// The pause after the first rate limit that names none; it doubles with each further one.
  private let firstPause: Duration?
  private let clock: RequestClock
  private let now: @Sendable () -> Date

  /// Held while a request is under way, if only one may be; where the order is kept, also by the first in the queue.
  private let mutex: AsyncMutex?
  private var queue: [Waiter] = []
  private var lastTicket = 0
  /// The number of callers that wait for the time.
  private(set) var sleeperCount = 0
  /// The address of the request under way.
  private var out: WebAddress?
  private var pausedUntil = Duration.zero
  /// When the first request was refused since the last answer, and how many were.
  private var refused: (since: Date, count: Int)?
  /// The leader's term at the last request.
  private var term: Int?

  /// Makes a limiter for a pace, after a rest.
  /// - Parameters:
  ///   - pace: the rate.
  ///   - oneAtATime: whether each request waits for the reply to the one before: the "one connection" of a polite client.
  ///   - clock: measures the time between requests.
  public init<Time: Clock>(_ pace: Pace, oneAtATime: Bool = false, clock: Time)
  where Time.Duration == Duration {
    schedule = .pace(pace, full: .zero)
    keepsOrder = false
    firstPause = nil
    mutex = oneAtATime ? AsyncMutex() : nil
    self.clock = RequestClock(clock)
    now = { Date() }
  }

  /// Makes a limiter for a window of time, with one request at a time.
  /// - Parameters:
  ///   - limit: the most requests in any window.
  ///   - span: the length of the window.
  ///   - firstPause: the first pause if the source names none; it doubles with each further rate limit, up to an hour.
  ///   - clock: measures the time between requests.
  ///   - now: the time, for people.
  public init<Time: Clock>(
    limit: Int,
    span: Duration,
    firstPause: Duration = .seconds(60),
    clock: Time,
    now: @escaping @Sendable () -> Date = { Date() }
  ) where Time.Duration == Duration {
    schedule = .window(limit: max(1, limit), span: span, sent: [])
    keepsOrder = true
    self.firstPause = firstPause
    mutex = AsyncMutex()
    self.clock = RequestClock(clock)
    self.now = now
  }

  /// The number of callers that wait for their turn.
  var queueLength: Int { queue.count }

  /// The number of callers that wait for the end of the request under way, or behind the first in the queue.
  var lineLength: Int { get async { await mutex?.waiterCount ?? 0 } }

  /// Waits until a request may be sent, and counts it; ``release(after:)`` must follow.
  ///
  /// A cancelled task takes nothing.
  /// - Parameters:
  ///   - exchange: the request.
  ///   - priority: whether a reader waits for the reply.
  ///   - term: the term in which this program leads, or nil. A new term begins as if a whole burst had just gone out,
  ///     since the last requests of the previous leader are unknown.
  /// - Throws: ``UpstreamError/rateLimited(_:retryAfter:)`` in a pause, unless requests wait for its end;
  ///   ``UpstreamError/busy(_:)`` if too many wait; ``UpstreamError/cancelled``, also if the term ends during the wait.
  func acquire(
    _ exchange: Exchange,
    _ priority: RequestPriority,
    term: @Sendable () -> Int? = { nil }
  ) async throws(UpstreamError) {
    try checkPause(of: exchange.source)
    let begun = term()
    do {
      try await takeTurn(exchange.address, priority, begun)
    } catch is QueueFull {
      throw .busy(exchange.source)
    } catch {
      throw .cancelled
    }
    do throws(UpstreamError) {
      if let begun, term() != begun { throw .cancelled }
      try checkPause(of: exchange.source)
    } catch {
      await leave()
      throw error
    }
  }

  private func checkPause(of source: Source) throws(UpstreamError) {
    let rest = pausedUntil - clock.now
    if !keepsOrder, rest > .zero { throw .rateLimited(source, retryAfter: rest) }
  }

  private func takeTurn(_ address: WebAddress, _ priority: RequestPriority, _ term: Int?) async throws {
    if let term, term != self.term {
      self.term = term
      schedule.beginEmpty(at: clock.now)
    }
    if keepsOrder, queue.count >= Self.mostWaiters { throw QueueFull() }
    lastTicket += 1
    let ticket = lastTicket
    queue.append(Waiter(ticket: ticket, address: address))
    defer { queue.removeAll { $0.ticket == ticket } }
    var isLocked = false
    do {
      while true {
        if !isLocked {
          if !keepsOrder, await lineLength >= Self.mostWaiters { throw QueueFull() }
          try await mutex?.lock()
          isLocked = true
        }
        let turn = keepsOrder ? turn(at: 0) : schedule.earliest(priority)
        guard turn > clock.now else { break }
        if !keepsOrder {
          await mutex?.unlock()
          isLocked = false
          guard sleeperCount < Self.mostWaiters else { throw QueueFull() }
        }
        sleeperCount += 1
        defer { sleeperCount -= 1 }
        try await clock.sleep(until: turn)
      }
    } catch {
      if isLocked { await mutex?.unlock() }
      throw error
    }
    out = address
    count()
  }

  /// Counts a request that goes out; a redirect does so without waiting.
  func count() { schedule.count(at: clock.now) }

  /// Ends the request under way, so that the next may go out, and notes what its outcome says about the source.
  func release(after outcome: Result<Reply, UpstreamError>) async {
    // Pause first, or the next request would go out before the pause begins.
    switch outcome {
    case .success, .failure(.notFound), .failure(.unexpectedStatus), .failure(.malformed),
      .failure(.rejected):
      refused = nil
    case .failure(.rateLimited(_, let asked)):
      noteRefused(asked: asked)
    case .failure(.serverError(_, _, let asked?)) where !keepsOrder:
      pause(for: asked)
    case .failure(.serverError), .failure(.unreachable), .failure(.timedOut), .failure(.busy),
      .failure(.cancelled):
      break
    }
    await leave()
  }

  private func leave() async {
    out = nil
    await mutex?.unlock()
  }

  /// Lets no request out for a time, because the source has refused one.
  /// - Parameter asked: the pause that the source asks for.
  func noteRefused(asked: Duration?) {
    let earlier = refused?.count ?? 0
    refused = (since: refused?.since ?? now(), count: earlier + 1)
    if let pause = asked ?? firstPause.map({ min($0 * (1 << min(earlier, 20)), Self.longestPause) }) {
      self.pause(for: pause)
    }
  }

  private func pause(for duration: Duration) { pausedUntil = max(pausedUntil, clock.now + duration) }

  /// The pause under way after a refused request; nil once the next may go out.
  public var currentPause: SourcePause? {
    let rest = pausedUntil - clock.now
    guard let refused, rest > .zero else { return nil }
    return SourcePause(
      since: refused.since,
      nextTry: now().addingTimeInterval(TimeInterval(rest.components.seconds))
    )
  }

  /// How long a request has to wait: the one in the queue for an address, or else a new one.
  ///
  /// The request under way has no wait left. How long it will take is unknown and counts as zero.
  /// - Parameters:
  ///   - address: the address of the request.
  ///   - others: the number of requests that enter the queue before a new one.
  public func waitingTime(for address: WebAddress, behind others: Int = 0) -> Duration {
    guard address != out else { return .zero }
    let place = queue.firstIndex { $0.address == address } ?? queue.count + others
    return max(.zero, turn(at: place) - clock.now)
  }

  /// When the request at a place in the queue may go out, if each before it goes out when it may.
  private func turn(at place: Int) -> Duration {
    var future = schedule
    var time = max(clock.now, pausedUntil)
    for _ in 0..<place {
      time = max(time, future.earliest(.background))
      future.count(at: time)
    }
    return max(time, future.earliest(.background))
  }

  /// When requests may go out, by those that have.
  private enum Schedule {
    /// An even pace, stored as the time when a whole burst may go out again: the "theoretical arrival time" of the
    /// generic cell rate algorithm (ITU-T I.371).
    ///
    /// So no timer fills it and no fraction is lost.
    case pace(Pace, full: Duration)
    /// At most a limit in any span; the times of the last requests, at most `limit` of them.
    case window(limit: Int, span: Duration, sent: [Duration])

    func earliest(_ priority: RequestPriority) -> Duration {
      switch self {
      case .pace(let pace, let full):
        let burst = pace.burst + (priority == .reader ? pace.readerBurst : 0)
        return full - pace.interval * (burst - 1)
      case .window(let limit, let span, let sent):
        return sent.count < limit ? .zero : sent[sent.count - limit] + span
      }
    }

    mutating func count(at now: Duration) {
      switch self {
      case .pace(let pace, let full): self = .pace(pace, full: max(now, full) + pace.interval)
      case .window(let limit, let span, let sent):
        self = .window(limit: limit, span: span, sent: Array((sent + [now]).suffix(limit)))
      }
    }

    /// Begins as if a whole burst had just gone out.
    mutating func beginEmpty(at now: Duration) {
      guard case .pace(let pace, _) = self else { return }
      self = .pace(pace, full: now + pace.interval * (pace.burst + pace.readerBurst))
    }
  }
}

/// A clock of any type, which reads as the time since this value was made.
struct RequestClock: Sendable {
  private let read: @Sendable () -> Duration
  private let wait: @Sendable (Duration) async throws -> Void

  init<Time: Clock>(_ clock: Time) where Time.Duration == Duration {
    let start = clock.now
    read = { start.duration(to: clock.now) }
    wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  var now: Duration { read() }

  /// Waits until a time.
  /// - Throws: `CancellationError` if the task is cancelled.
  func sleep(until time: Duration) async throws { try await wait(time) }
}

/// A lock for asynchronous code: one holder at a time, in the order of arrival.
private actor AsyncMutex {
  private struct Waiter {
    let ticket: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private var isHeld = false
  private var waiters: [Waiter] = []
  private var lastTicket = 0

  /// The number of callers that wait for the lock, without the one that holds it.
  var waiterCount: Int { waiters.count }

  /// Waits for the lock; a caller that gets it must call ``unlock()``.
  /// - Throws: `CancellationError` if the task is cancelled while it waits. It doesn't get the lock then.
  func lock() async throws {
    try Task.checkCancellation()
    guard isHeld else {
      isHeld = true
      return
    }
    lastTicket += 1
    let ticket = lastTicket
    let isLocked = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // The cancellation handler may have run before there was a waiter to remove.
        guard !Task.isCancelled else { return continuation.resume(returning: false) }
        waiters.append(Waiter(ticket: ticket, continuation: continuation))
      }
    } onCancel: {
      Task { await self.giveUp(ticket) }
    }
    guard isLocked else { throw CancellationError() }
  }

  /// Passes the lock to the caller that has waited longest.
  func unlock() {
    guard !waiters.isEmpty else {
      isHeld = false
      return
    }
    waiters.removeFirst().continuation.resume(returning: true)
  }

  private func giveUp(_ ticket: Int) {
    guard let index = waiters.firstIndex(where: { $0.ticket == ticket }) else { return }
    waiters.remove(at: index).continuation.resume(returning: false)
  }
}
