// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LongboxUpstream

@Suite("The status of a reply") struct ReplyStatusTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  private static let now = Date(timeIntervalSince1970: 784_111_777)

  private func send(_ status: Int, _ headers: HeaderFields = [:], validator: Validator? = nil) async throws
    -> Reply
  {
    let script = ScriptedTransport(.reply(status, headers))
    return try await SourceClient(over: script.transport, now: { Self.now }).send(
      .sample(validator: validator)
    )
  }

  @Test(arguments: [
    (404, UpstreamError.notFound(.xkcd, subject: "comic 7")),
    (410, .notFound(.xkcd, subject: "comic 7")),
    (403, .rateLimited(.xkcd, retryAfter: nil)),
    (429, .rateLimited(.xkcd, retryAfter: nil)),
    (408, .timedOut(.xkcd, subject: "comic 7")),
    (500, .serverError(.xkcd, status: 500, retryAfter: nil)),
    (503, .serverError(.xkcd, status: 503, retryAfter: nil)),
    (599, .serverError(.xkcd, status: 599, retryAfter: nil)),
    (204, .unexpectedStatus(.xkcd, subject: "comic 7", status: 204)),
    (206, .unexpectedStatus(.xkcd, subject: "comic 7", status: 206)),
    (302, .unexpectedStatus(.xkcd, subject: "comic 7", status: 302)),
    (418, .unexpectedStatus(.xkcd, subject: "comic 7", status: 418)),
    (600, .unexpectedStatus(.xkcd, subject: "comic 7", status: 600)),
    (304, .malformed(.xkcd, at: "comic 7: the answer is “not modified”, although Longbox sent no validator")),
  ])
  func `becomes an error`(status: Int, error: UpstreamError) async {
    await #expect(throws: error) { try await send(status) }
  }

  @Test func `is passed on where it is a success`() async throws {
    #expect(try await send(200).status == 200)
    #expect(try await send(304, validator: Validator(entityTag: "\"1\"", lastModified: nil)).status == 304)
  }

  @Test(arguments: [
    ("0", Duration.seconds(0)), ("120", .seconds(120)), (" 7 ", .seconds(7)),
    ("Sun, 06 Nov 1994 08:51:37 GMT", .seconds(120)),
    ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
    ("99999999999999999999", .seconds(86_400)), ("Sun, 06 Nov 2094 08:49:37 GMT", .seconds(86_400)),
  ])
  func `has Retry-After as seconds or as a date`(field: String, pause: Duration) async {
    await #expect(throws: UpstreamError.rateLimited(.xkcd, retryAfter: pause)) {
      try await send(429, ["retry-after": field])
    }
    await #expect(throws: UpstreamError.serverError(.xkcd, status: 503, retryAfter: pause)) {
      try await send(503, ["Retry-After": field])
    }
  }

  @Test(arguments: [
    "", "soon", "-1", "1.5", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "٣",
  ])
  func `has no Retry-After where it can't be parsed`(field: String) async {
    await #expect(throws: UpstreamError.rateLimited(.xkcd, retryAfter: nil)) {
      try await send(429, ["Retry-After": field])
    }
  }
}

@Suite("Retries", .timeLimit(.minutes(10))) struct RetryPolicyTests {
  private static let failure = ScriptedTransport.Step.failure(.unreachable(.xkcd, reason: "no"))
  private let clock = JumpingClock()

  private func send(
    _ script: ScriptedTransport,
    _ policy: RetryPolicy = RetryPolicy(),
    jitter: Double = 0
  ) async throws -> Reply {
    try await SourceClient(
      over: script.transport,
      retry: policy,
      clock: RequestClock(clock),
      jitter: { jitter }
    ).send(try .sample())
  }

  @Test func `end with the first success`() async throws {
    let script = ScriptedTransport(Self.failure, .reply(200))
    #expect(try await send(script).status == 200)
    #expect(script.exchanges.count == 2)
    #expect(script.exchanges[0] == script.exchanges[1])
  }

  @Test func `rethrow the last error`() async {
    let last = UpstreamError.serverError(.xkcd, status: 502, retryAfter: nil)
    let script = ScriptedTransport(Self.failure, Self.failure, .failure(last))
    await #expect(throws: last) { try await send(script) }
    #expect(script.exchanges.count == 3)
  }

  @Test(arguments: [
    UpstreamError.notFound(.xkcd, subject: "x"), .malformed(.xkcd, at: "x"),
    .rejected(.xkcd, .size(limit: 1)),
    .cancelled,
    .unexpectedStatus(.xkcd, subject: "x", status: 418), .serverError(.xkcd, status: 501, retryAfter: nil),
  ])
  func `are not made where they can't help`(error: UpstreamError) async {
    let script = ScriptedTransport(.failure(error))
    await #expect(throws: error) { try await send(script) }
    #expect(script.exchanges.count == 1)
    #expect(clock.sleeps.isEmpty)
  }

  @Test(arguments: [
    UpstreamError.unreachable(.xkcd, reason: "x"), .timedOut(.xkcd, subject: "x"),
    .rateLimited(.xkcd, retryAfter: nil),
    .serverError(.xkcd, status: 500, retryAfter: nil), .serverError(.xkcd, status: 503, retryAfter: nil),
  ])
  func `are made where they may help`(error: UpstreamError) async throws {
    #expect(try await send(ScriptedTransport(.failure(error), .reply(200))).status == 200)
  }

  @Test func `pause longer each time, up to a limit`() async {
    let policy = RetryPolicy(attempts: 6, firstPause: .seconds(2), longestPause: .seconds(10))
    await #expect(throws: UpstreamError.self) { try await send(ScriptedTransport(Self.failure), policy) }
    #expect(clock.sleeps == [1, 2, 4, 5, 5].map { .seconds($0) })
  }

  @Test func `have jitter of up to half of a pause`() {
    let policy = RetryPolicy(firstPause: .seconds(2))
    let error = UpstreamError.timedOut(.xkcd, subject: "x")
    #expect(policy.pause(after: 1, error, jitter: 0) == .seconds(1))
    #expect(policy.pause(after: 1, error, jitter: 0.5) == .seconds(1.5))
    #expect(policy.pause(after: 2, error, jitter: 0.5) == .seconds(3))
    #expect(policy.pause(after: 3, error, jitter: 0.5) == nil)
  }

  @Test func `never come before Retry-After`() {
    let policy = RetryPolicy(firstPause: .seconds(2), longestRetryAfter: .seconds(10))
    for jitter in [0, 0.3, 0.99] {
      let pause = policy.pause(after: 1, .rateLimited(.xkcd, retryAfter: .seconds(10)), jitter: jitter)
      #expect(pause == .seconds(10) + .seconds(2) * jitter)
    }
  }

  @Test func `are not made after a long Retry-After`() async {
    let error = UpstreamError.serverError(.xkcd, status: 503, retryAfter: .seconds(11))
    let script = ScriptedTransport(.failure(error))
    await #expect(throws: error) { try await send(script, RetryPolicy(longestRetryAfter: .seconds(10))) }
    #expect(script.exchanges.count == 1)
  }

  @Test func `are given up when the caller is cancelled during a pause`() async throws {
    let clock = StoppedClock()
    let script = ScriptedTransport(Self.failure)
    let client = SourceClient(
      over: script.transport,
      retry: RetryPolicy(),
      clock: RequestClock(clock),
      jitter: { 0 }
    )
    let exchange = try Exchange.sample()
    let task = Task { try await client.send(exchange) }
    await clock.someoneSleeps()
    task.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await task.value }
    #expect(script.exchanges.count == 1)
  }
}

@Suite("Equal concurrent requests", .timeLimit(.minutes(10))) struct SingleFlightTests {
  private let gate = Gate()
  private let underWay = SourceClient.RequestsUnderWay(abandonedWork: .isCancelled)
  private let counts = Counts()

  /// How many requests were sent, and how many of them were cancelled.
  private final class Counts: Sendable {
    let sent = Mutex(0)
    let cancelled = Mutex(0)
  }

  private var client: SourceClient {
    let (gate, counts) = (gate, counts)
    let transport = Transport { exchange throws(UpstreamError) in
      counts.sent.withLock { $0 += 1 }
      await gate.pass()
      guard !Task.isCancelled else {
        counts.cancelled.withLock { $0 += 1 }
        throw .cancelled
      }
      return Reply(status: 200, address: exchange.address)
    }
    return SourceClient(over: transport, joining: underWay)
  }

  /// Starts a request and waits until it waits for the reply.
  private func start(_ exchange: Exchange, waiter number: Int) async -> Task<Reply, any Error> {
    let client = client
    let task = Task<Reply, any Error> { try await client.send(exchange) }
    await eventually { await underWay.waiterCount(for: exchange) == number }
    return task
  }

  @Test func `are sent once, and all callers get the reply`() async throws {
    let exchange = try Exchange.sample()
    var tasks: [Task<Reply, any Error>] = []
    for number in 1...50 { tasks.append(await start(exchange, waiter: number)) }
    gate.open()
    for task in tasks { #expect(try await task.value.status == 200) }
    #expect(counts.sent.withLock { $0 } == 1)
  }

  @Test func `are sent again after the first has its reply`() async throws {
    let exchange = try Exchange.sample()
    for _ in 0..<2 {
      gate.open()
      _ = try await client.send(exchange)
    }
    #expect(counts.sent.withLock { $0 } == 2)
  }

  @Test func `are equal only if everything that is sent is equal`() async throws {
    let plain = try Exchange.sample()
    let conditional = try Exchange.sample(validator: Validator(entityTag: "\"1\"", lastModified: nil))
    let first = await start(plain, waiter: 1)
    let second = await start(conditional, waiter: 1)
    gate.open()
    gate.open()
    _ = try await (first.value, second.value)
    #expect(counts.sent.withLock { $0 } == 2)
  }

  @Test func `continue when one of several callers is cancelled`() async throws {
    let exchange = try Exchange.sample()
    let first = await start(exchange, waiter: 1)
    let second = await start(exchange, waiter: 2)
    first.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await first.value }
    gate.open()
    #expect(try await second.value.status == 200)
    #expect(counts.cancelled.withLock { $0 } == 0)
  }

  @Test func `are cancelled with their last caller, and the next caller sends a new one`() async throws {
    let exchange = try Exchange.sample()
    let first = await start(exchange, waiter: 1)
    let second = await start(exchange, waiter: 2)
    first.cancel()
    second.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await first.value }
    await #expect(throws: UpstreamError.cancelled) { try await second.value }
    await eventually { counts.cancelled.withLock { $0 } == 1 }
    gate.open()
    #expect(try await client.send(exchange).status == 200)
    #expect(counts.sent.withLock { $0 } == 2)
  }

  @Test func `share a failure`() async throws {
    let gate = gate
    let broken = Transport { _ throws(UpstreamError) in
      await gate.pass()
      throw .unreachable(.xkcd, reason: "no")
    }
    let failing = SourceClient(over: broken, joining: underWay)
    let exchange = try Exchange.sample()
    let tasks = (0..<2).map { _ in Task { try await failing.send(exchange) } }
    await eventually { await underWay.waiterCount(for: exchange) == 2 }
    gate.open()
    for task in tasks {
      await #expect(throws: UpstreamError.unreachable(.xkcd, reason: "no")) { try await task.value }
    }
  }

  @Test func `are not sent for a cancelled task`() async throws {
    let (client, exchange) = (client, try Exchange.sample())
    let task = Task {
      await eventually { Task.isCancelled }
      return try await client.send(exchange)
    }
    task.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await task.value }
    #expect(counts.sent.withLock { $0 } == 0)
  }
}

@Suite("The observer of requests") struct RequestObserverTests {
  @Test func `learns when a request waits and is sent, how it ended, and which were not sent`() async throws {
    let events = Mutex<[String]>([])
    let observer = RequestObserver(
      queued: { source in events.withLock { $0.append("\(source) queued") } },
      left: { source in events.withLock { $0.append("\(source) left") } },
      sent: { source, _ in events.withLock { $0.append("\(source) sent") } },
      ended: { source, outcome, _ in events.withLock { $0.append("\(source) \(outcome)") } }
    )
    let script = ScriptedTransport(.reply(200), .reply(429, ["Retry-After": "30"]))
    let limiter = RequestLimiter(Pace(interval: .seconds(1), burst: 1), clock: JumpingClock())
    let client = SourceClient(over: script.transport, limiter: limiter, observer: observer)
    _ = try await client.send(.sample())
    for _ in 0..<2 {
      await #expect(throws: UpstreamError.self) { try await client.send(.sample()) }
    }
    #expect(
      events.withLock { $0 } == [
        "xkcd queued", "xkcd sent", "xkcd left", "xkcd answered",
        "xkcd queued", "xkcd sent", "xkcd left", "xkcd rateLimited",
        "xkcd queued", "xkcd left",
      ]
    )
  }
}
