// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Whether a reader waits for a request to a source.
public enum RequestPriority: Sendable {
  /// A reader waits for a page.
  case reader
  /// The data is fetched in advance.
  case background
}

/// The way out: asks one source, under one policy for all callers.
///
/// Make one for a source and share it, because callers share the policy only through the same value.
public struct SourceClient: Sendable {
  typealias Outcome = Result<Reply, UpstreamError>
  typealias RequestsUnderWay = SingleFlight<Exchange, Outcome>

  private let transport: Transport
  private let underWay: RequestsUnderWay?
  private let limiter: RequestLimiter?
  private let retry: RetryPolicy
  private let observer: RequestObserver?
  private let term: @Sendable () -> Int?
  private let clock: RequestClock
  private let jitter: @Sendable () -> Double
  private let now: @Sendable () -> Date

  /// Makes a polite client: equal requests are joined, one is sent at a time and at a pace, and temporary failures are
  /// retried.
  /// - Parameters:
  ///   - source: sets the pace if none is given.
  ///   - transport: sends requests, mostly over the network.
  ///   - pace: another pace, for what replaces the source: a private mirror or recorded data.
  ///   - retry: how failures are retried.
  ///   - observer: counts the requests by outcome.
  ///   - term: the term in which this program leads; nil if there is none. A request whose term is over when it may be
  ///     sent fails as cancelled.
  public init(
    _ source: Source,
    over transport: Transport,
    pace: Pace? = nil,
    retry: RetryPolicy = RetryPolicy(),
    observer: RequestObserver? = nil,
    term: @escaping @Sendable () -> Int? = { nil }
  ) {
    self.init(
      over: transport,
      joining: RequestsUnderWay(abandonedWork: .isCancelled),
      limiter: RequestLimiter(pace ?? source.pace, oneAtATime: true, clock: ContinuousClock()),
      retry: retry,
      observer: observer,
      term: term
    )
  }

  /// Makes a client with those parts of the policy that are given; only replies that are errors are always recognized.
  init(
    over transport: Transport,
    joining underWay: RequestsUnderWay? = nil,
    limiter: RequestLimiter? = nil,
    retry: RetryPolicy = .never,
    observer: RequestObserver? = nil,
    term: @escaping @Sendable () -> Int? = { nil },
    clock: RequestClock = RequestClock(ContinuousClock()),
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.transport = transport
    self.underWay = underWay
    self.limiter = limiter
    self.retry = retry
    self.observer = observer
    self.term = term
    self.clock = clock
    self.jitter = jitter
    self.now = now
  }

  /// Sends a request, or joins an equal one that is under way.
  ///
  /// The priority of joined requests is that of the first.
  /// - Returns: the reply, with status 200, or 304 if the request has a validator.
  /// - Throws: the last error, never a "too many attempts"; ``UpstreamError/cancelled`` at once if the task is cancelled.
  public func send(
    _ exchange: Exchange,
    priority: RequestPriority = .background
  ) async throws(UpstreamError) -> Reply {
    guard let underWay else { return try await outcome(of: exchange, priority).get() }
    let joined = try? await underWay.value(for: exchange) { await outcome(of: exchange, priority) }
    guard let joined else { throw .cancelled }
    return try joined.get()
  }

  /// Waits for a turn, sends a request, and tells the limiter how it ended; retries a temporary failure after a pause.
  private func outcome(of exchange: Exchange, _ priority: RequestPriority) async -> Outcome {
    var failures = 0
    while true {
      let failure: UpstreamError
      do throws(UpstreamError) {
        try await waitForTurn(exchange, priority)
        let outcome = await ask(exchange)
        await limiter?.release(after: outcome)
        return .success(try outcome.get())
      } catch {
        failure = error
      }
      failures += 1
      guard let pause = retry.pause(after: failures, failure, jitter: jitter()) else {
        return .failure(failure)
      }
      do { try await clock.sleep(until: clock.now + pause) } catch { return .failure(.cancelled) }
    }
  }

  private func waitForTurn(_ exchange: Exchange, _ priority: RequestPriority) async throws(UpstreamError) {
    let start = ContinuousClock.now
    observer?.queued(exchange.source)
    defer { observer?.left(exchange.source) }
    try await limiter?.acquire(exchange, priority, term: term)
    observer?.sent(exchange.source, ContinuousClock.now - start)
  }

  /// Sends a request once; the limiter learns of each redirect, since it is one more request to the source.
  private func ask(_ exchange: Exchange) async -> Outcome {
    let start = ContinuousClock.now
    let outcome: Outcome
    do throws(UpstreamError) {
      let reply = try await transport.send(exchange) { await limiter?.count() }
      if let error = exchange.source.error(in: reply, to: exchange, now: now()) { throw error }
      outcome = .success(reply)
    } catch {
      outcome = .failure(error)
    }
    observer?.ended(exchange.source, RequestObserver.name(of: outcome), ContinuousClock.now - start)
    return outcome
  }
}

/// How often, and after which pauses, a failed request is sent again.
public struct RetryPolicy: Equatable, Sendable {
  /// The most attempts, including the first.
  public var attempts: Int
  /// The pause after the first failure; it doubles with each further one.
  public var firstPause: Duration
  /// The longest pause, unless the source asks for more.
  public var longestPause: Duration
  /// The longest accepted `Retry-After`; if a source asks for more, the caller gets the error.
  public var longestRetryAfter: Duration

  /// Sends each request once.
  static let never = RetryPolicy(attempts: 1)

  /// Makes a policy; the defaults suit a reader who is waiting.
  public init(
    attempts: Int = 3,
    firstPause: Duration = .milliseconds(500),
    longestPause: Duration = .seconds(8),
    longestRetryAfter: Duration = .seconds(10)
  ) {
    self.attempts = attempts
    self.firstPause = firstPause
    self.longestPause = longestPause
    self.longestRetryAfter = longestRetryAfter
  }

  /// The pause after a failure, or nil if the failure is final.
  ///
  /// Half of the pause is random, so that clients don't retry together. It is never shorter than
  /// `Retry-After`.
  /// - Parameters:
  ///   - failures: how often the request has failed, 1 or more.
  ///   - error: the last failure.
  ///   - jitter: 0 up to 1.
  public func pause(after failures: Int, _ error: UpstreamError, jitter: Double) -> Duration? {
    guard error.isRetryable, failures < attempts else { return nil }
    let doubled = firstPause * (1 << min(failures - 1, 20))
    let longest = min(doubled, longestPause)
    let own = longest / 2 + longest / 2 * jitter
    guard let asked = error.retryAfter else { return own }
    return asked <= longestRetryAfter ? asked + firstPause * jitter : nil
  }
}

/// Closures that count the requests to sources; they must not block.
public struct RequestObserver: Sendable {
  let queued: @Sendable (Source) -> Void
  /// A request has left the queue: it is sent, or was given up.
  let left: @Sendable (Source) -> Void
  /// A request is sent after it has waited for a time.
  let sent: @Sendable (Source, _ wait: Duration) -> Void
  /// A request has ended after a time, with an outcome such as `answered` or `timedOut`.
  let ended: @Sendable (Source, _ outcome: String, _ time: Duration) -> Void

  public init(
    queued: @escaping @Sendable (Source) -> Void,
    left: @escaping @Sendable (Source) -> Void,
    sent: @escaping @Sendable (Source, _ wait: Duration) -> Void,
    ended: @escaping @Sendable (Source, _ outcome: String, _ time: Duration) -> Void
  ) {
    self.queued = queued
    self.left = left
    self.sent = sent
    self.ended = ended
  }

  /// The kind of an outcome, for counting.
  fileprivate static func name(of outcome: SourceClient.Outcome) -> String {
    switch outcome {
    case .success(let reply): reply.status == 304 ? "notModified" : "answered"
    case .failure(.notFound): "notFound"
    case .failure(.rateLimited): "rateLimited"
    case .failure(.busy): "busy"
    case .failure(.unreachable): "unreachable"
    case .failure(.timedOut): "timedOut"
    case .failure(.serverError): "serverError"
    case .failure(.unexpectedStatus): "unexpectedStatus"
    case .failure(.malformed): "malformed"
    case .failure(.rejected): "rejected"
    case .failure(.cancelled): "cancelled"
    }
  }
}
