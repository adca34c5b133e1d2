// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TestSupport

@testable import LongboxUpstream

@Suite("A limiter's window", .timeLimit(.minutes(10))) struct RequestLimiterWindowTests {
  private func address(_ number: Int) throws -> WebAddress {
    try #require(WebAddress("https://itunes.apple.com/lookup?id=\(number)"))
  }

  @Test func `allows calls up to its limit at once, then one for each that leaves the window`() async throws {
    let clock = JumpingClock()
    let limiter = RequestLimiter(limit: 3, span: .seconds(60), clock: clock)
    for number in 0..<3 {
      try await limiter.pass(try address(number))
      clock.advance(by: .seconds(10))
    }
    #expect(clock.sleeps.isEmpty)
    #expect(await limiter.waitingTime(for: try address(3)) == .seconds(30))
    for number in 3..<5 {
      try await limiter.pass(try address(number))
    }
    #expect(clock.sleeps == [.seconds(30), .seconds(10)])
    clock.advance(by: .seconds(600))
    #expect(await limiter.waitingTime(for: try address(5)) == .zero)
  }

  @Test func `queues calls, and says how long each will wait`() async throws {
    let clock = ManualClock()
    let limiter = RequestLimiter(limit: 2, span: .seconds(60), clock: clock)
    let addresses = try (0..<6).map(address)
    func call(_ number: Int) async throws {
      try await limiter.pass(addresses[number])
    }
    for number in 0..<2 { try await call(number) }
    let waiting = (2..<5).map { number in Task { try await call(number) } }
    await eventually { await limiter.queueLength == 3 && clock.sleeperCount == 1 }
    var waits: [Duration] = []
    for number in 2..<6 { waits.append(await limiter.waitingTime(for: addresses[number])) }
    #expect(waits.sorted() == [.seconds(60), .seconds(60), .seconds(120), .seconds(120)])
    clock.advance(by: .seconds(60))
    await eventually { await limiter.queueLength == 1 && clock.sleeperCount == 1 }
    clock.advance(by: .seconds(60))
    for task in waiting { try await task.value }
    #expect(await limiter.queueLength == 0)
  }

  @Test func `allows one call at a time, so that the first "too many" stops all others`() async throws {
    let clock = ManualClock()
    let script = ScriptedTransport(.reply(403), .reply(200))
    let limiter = RequestLimiter(limit: 15, span: .seconds(60), clock: clock)
    let client = SourceClient(over: script.transport, limiter: limiter)
    let exchanges = try (0..<15).map { try Exchange.sample(try address($0)) }
    let calls = exchanges.map { exchange in Task { try await client.send(exchange) } }
    await eventually { await limiter.queueLength == 14 && clock.sleeperCount == 1 }
    #expect(script.exchanges.count == 1)
    #expect(await limiter.waitingTime(for: exchanges[0].address) == .seconds(60))
    clock.advance(by: .seconds(60))
    await eventually { script.exchanges.count == 15 }
    var refused = 0
    for call in calls {
      do {
        #expect(try await call.value.status == 200)
      } catch UpstreamError.rateLimited {
        refused += 1
      }
    }
    #expect(refused == 1)
  }

  @Test func `counts calls when they are sent, so that a source that hung gets no burst`() async throws {
    let clock = ManualClock()
    let gate = Gate()
    let script = ScriptedTransport(.reply(200))
    let limiter = RequestLimiter(limit: 3, span: .seconds(60), clock: clock)
    let transport = Transport { exchange throws(UpstreamError) in
      await gate.pass()
      return try await script.transport.send(exchange)
    }
    let client = SourceClient(over: transport, limiter: limiter)
    let exchanges = try (0..<9).map { try Exchange.sample(try address($0)) }
    let calls = exchanges.map { exchange in Task { try await client.send(exchange) } }
    for _ in 0..<3 {
      await gate.someoneArrives()
      await eventually { await limiter.queueLength + script.exchanges.count == 8 }
      clock.advance(by: .seconds(30))
      gate.open()
    }
    // They were sent after 0, 30 and 60 seconds; at 90 only the first has left the window.
    await gate.someoneArrives()
    gate.open()
    await eventually { script.exchanges.count == 4 && clock.sleeperCount <= 1 }
    for _ in 4..<9 { gate.open() }
    await eventually { script.exchanges.count == 5 && clock.sleeperCount == 1 }
    #expect(await limiter.queueLength == 4, "they wait in line, not behind it")
    for _ in 0..<4 {
      clock.advance(by: .seconds(60))
      await eventually { await limiter.queueLength == 0 || clock.sleeperCount == 1 }
    }
    for call in calls { _ = try await call.value }
  }

  @Test func `counts a redirect that is followed as one more call`() async throws {
    let clock = JumpingClock()
    let limiter = RequestLimiter(limit: 2, span: .seconds(60), clock: clock)
    let transport = Transport { exchange, countRedirect throws(UpstreamError) in
      await countRedirect()
      return Reply(status: 200, address: exchange.address)
    }
    let client = SourceClient(over: transport, limiter: limiter)
    for _ in 0..<2 { _ = try await client.send(.sample()) }
    #expect(clock.sleeps == [.seconds(60)])
  }

  @Test func `continues when a queued or a sent call is cancelled`() async throws {
    let clock = ManualClock()
    let gate = Gate()
    let limiter = RequestLimiter(limit: 1, span: .seconds(60), clock: clock)
    let transport = Transport { exchange throws(UpstreamError) in
      await gate.pass()
      if Task.isCancelled { throw .cancelled }
      return Reply(status: 200, headers: [:], body: [], address: exchange.address)
    }
    let client = SourceClient(over: transport, limiter: limiter)
    let first = try Exchange.sample(try address(1))
    let out = Task { try await client.send(first) }
    await gate.someoneArrives()
    #expect(await limiter.waitingTime(for: first.address) == .zero)
    let others = try (2..<4).map { try Exchange.sample(try address($0)) }
    let waiting = others.map { exchange in Task { try await client.send(exchange) } }
    await eventually { await limiter.queueLength == 2 }
    waiting[0].cancel()
    out.cancel()
    await eventually { await limiter.queueLength == 1 && clock.sleeperCount == 1 }
    clock.advance(by: .seconds(60))
    await gate.someoneArrives()
    gate.open()
    #expect(try await waiting[1].value.status == 200)
  }

  @Test func `allows no call during a pause`() async throws {
    let clock = JumpingClock()
    let limiter = RequestLimiter(limit: 5, span: .seconds(60), clock: clock)
    await limiter.noteRefused(asked: .seconds(90))
    #expect(await limiter.waitingTime(for: try address(1)) == .seconds(90))
    try await limiter.acquire(.sample(try address(1)), .background)
    #expect(clock.sleeps == [.seconds(90)])
  }

  @Test func `pauses longer after each refused call, up to an hour, until the source answers`() async throws {
    let clock = JumpingClock()
    let time = SettableTime()
    let start = time.now
    let refused = Array(repeating: ScriptedTransport.Step.reply(403), count: 8)
    let script = ScriptedTransport(refused + [.reply(500), .reply(404), .reply(403)])
    let limiter = RequestLimiter(limit: 15, span: .seconds(60), clock: clock, now: { time.now })
    let client = SourceClient(over: script.transport, limiter: limiter)
    func call() async throws -> SourcePause? {
      await #expect(throws: UpstreamError.self) { try await client.send(.sample()) }
      return await limiter.currentPause
    }
    #expect(await limiter.currentPause == nil)
    for minutes in [1, 2, 4, 8, 16, 32, 60, 60] {
      #expect(try await call() == SourcePause(since: start, nextTry: time.now + TimeInterval(60 * minutes)))
      clock.advance(by: .seconds(60 * minutes))
      time.advance(by: TimeInterval(60 * minutes))
      #expect(await limiter.currentPause == nil, "the next call may go out")
    }
    #expect(try await call() == nil, "an error of the server is no answer that refuses")
    #expect(try await call() == nil, "an answer")
    #expect(try await call() == SourcePause(since: time.now, nextTry: time.now + 60), "it begins again")
  }

  @Test func `pauses for as long as the source asks`() async throws {
    let clock = JumpingClock()
    let script = ScriptedTransport(.reply(429, ["Retry-After": "7"]), .reply(200, body: [0x7B]))
    let limiter = RequestLimiter(limit: 15, span: .seconds(60), clock: clock)
    let client = SourceClient(over: script.transport, limiter: limiter)
    await #expect(throws: UpstreamError.rateLimited(.xkcd, retryAfter: .seconds(7))) {
      try await client.send(.sample())
    }
    #expect(try await client.send(.sample()).status == 200)
    #expect(script.exchanges.count == 2)
    #expect(clock.sleeps == [.seconds(7)])
  }
}

extension RequestLimiter {
  /// Waits for a turn of a request that ends at once, and says nothing about the source.
  fileprivate func pass(_ address: WebAddress) async throws {
    try await acquire(.sample(address), .background)
    await release(after: .failure(.cancelled))
  }
}
