// Longbox
// SPDX-License-Identifier: MIT

import LongboxUpstream
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Retries` {
  private static let failure = ScriptedTransport.Step.failure(.unreachable(.xkcd, reason: "no"))
  private let clock = JumpingClock()

  private func send(
    _ script: ScriptedTransport,
    _ policy: RetryPolicy = RetryPolicy(),
    jitter: Double = 0
  ) async throws -> Reply {
    try await script.transport.retrying(policy, clock: clock, jitter: { jitter }).send(try .sample())
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
    let transport = script.transport.retrying(RetryPolicy(), clock: clock, jitter: { 0 })
    let exchange = try Exchange.sample()
    let task = Task { try await transport.send(exchange) }
    await clock.someoneSleeps()
    task.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await task.value }
    #expect(script.exchanges.count == 1)
  }
}
