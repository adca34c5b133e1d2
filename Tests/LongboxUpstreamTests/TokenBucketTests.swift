// Longbox
// SPDX-License-Identifier: MIT

import Synchronization
import TestSupport
import Testing

@testable import LongboxUpstream

@Suite(.timeLimit(.minutes(10))) struct `The token bucket` {
  private let clock = JumpingClock()

  @Test func `keeps its pace from the second request on`() async throws {
    let bucket = TokenBucket(Pace(interval: .milliseconds(500), burst: 1), clock: clock)
    for _ in 0..<4 { try await bucket.take() }
    #expect(clock.sleeps == Array(repeating: .milliseconds(500), count: 3))
  }

  @Test func `allows a burst after a pause, and no more than that after a long one`() async throws {
    let bucket = TokenBucket(Pace(interval: .seconds(4), burst: 3), clock: clock)
    for _ in 0..<3 { try await bucket.take() }
    #expect(clock.sleeps.isEmpty)
    try await bucket.take()
    #expect(clock.sleeps == [.seconds(4)])
    clock.advance(by: .seconds(1000))
    for _ in 0..<3 { try await bucket.take() }
    #expect(clock.sleeps.count == 1)
    try await bucket.take()
    #expect(clock.sleeps.count == 2)
  }

  @Test func `counts time that has already passed`() async throws {
    let bucket = TokenBucket(Pace(interval: .seconds(1), burst: 1), clock: clock)
    try await bucket.take()
    clock.advance(by: .milliseconds(700))
    try await bucket.take()
    #expect(clock.sleeps == [.milliseconds(300)])
  }

  @Test func `keeps its pace for concurrent requests`() async throws {
    let bucket = TokenBucket(Pace(interval: .seconds(1), burst: 1), clock: clock)
    let start = clock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try await bucket.take() } }
      try await group.waitForAll()
    }
    #expect(start.duration(to: clock.now) == .seconds(19))
  }

  @Test func `lets readers go ahead of the pace, and lets the background pay them back`() async throws {
    let pace = Pace(interval: .seconds(1), burst: 1, readerBurst: 3)
    let bucket = TokenBucket(pace, clock: clock)
    try await bucket.take(.background)
    for _ in 0..<3 { try await bucket.take(.reader) }
    #expect(clock.sleeps.isEmpty)
    try await bucket.take(.reader)
    #expect(clock.sleeps == [.seconds(1)])
    try await bucket.take(.background)
    #expect(clock.sleeps == [.seconds(1), .seconds(4)])
  }

  @Test func `begins empty where another program has stopped, which may have just sent a burst`() async throws
  {
    let pace = Pace(interval: .seconds(1), burst: 1, readerBurst: 3)
    let bucket = TokenBucket(pace, clock: clock)
    try await bucket.take(.reader, term: 1)
    #expect(clock.sleeps == [.seconds(1)])
    try await bucket.take(.background, term: 1)
    #expect(clock.sleeps == [.seconds(1), .seconds(4)])
    try await bucket.take(.reader, term: 2)
    #expect(clock.sleeps == [.seconds(1), .seconds(4), .seconds(1)])
  }

  @Test func `sends nothing when this node's term is over`() async throws {
    let script = ScriptedTransport(.reply(200))
    let bucket = TokenBucket(Pace(interval: .seconds(1), burst: 1), clock: clock)
    let questions = Atomic(0)
    let transport = script.transport.paced(by: bucket) {
      questions.wrappingAdd(1, ordering: .relaxed).newValue == 1 ? 7 : nil
    }
    await #expect(throws: UpstreamError.cancelled) { try await transport.send(.sample()) }
    #expect(script.exchanges.isEmpty)
  }

  @Test func `lets a reader pass a background request that waits`() async throws {
    let stopped = StoppedClock()
    let pace = Pace(interval: .seconds(100), burst: 1, readerBurst: 1)
    let script = ScriptedTransport(.reply(200))
    let bucket = TokenBucket(pace, clock: stopped)
    let transport = script.transport.paced(by: bucket, mutex: AsyncMutex())
    _ = try await transport.send(.sample())
    let background = Task { try await transport.send(.sample()) }
    await stopped.someoneSleeps()
    _ = try await RequestPriority.$current.withValue(.reader) { try await transport.send(.sample()) }
    #expect(script.exchanges.count == 2)
    background.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await background.value }
  }

  @Test func `counts a request when it is sent, so that a slow one is not followed by a burst`() async throws
  {
    let clock = ManualClock()
    let gate = Gate()
    let mutex = AsyncMutex()
    let times = Mutex<[Duration]>([])
    let transport = Transport { exchange throws(UpstreamError) in
      times.withLock { $0.append(clock.now.offset) }
      await gate.pass()
      return Reply(status: 200, address: exchange.address)
    }
    .paced(by: TokenBucket(Pace(interval: .seconds(1), burst: 1), clock: clock), mutex: mutex)
    let exchange = try Exchange.sample()
    let calls = (0..<3).map { _ in Task { try await transport.send(exchange) } }
    await gate.someoneArrives()
    await eventually { await mutex.waiterCount == 2 }
    clock.advance(by: .seconds(10))
    gate.open()
    await gate.someoneArrives()
    gate.open()
    await eventually { clock.sleeperCount == 1 }
    clock.advance(by: .seconds(1))
    await gate.someoneArrives()
    gate.open()
    for call in calls { #expect(try await call.value.status == 200) }
    #expect(times.withLock { $0 } == [.zero, .seconds(10), .seconds(11)])
  }

  @Test func `rejects a request while 400 others wait for a slow one`() async throws {
    let gate = Gate()
    let mutex = AsyncMutex()
    let transport = Transport { exchange throws(UpstreamError) in
      await gate.pass()
      return Reply(status: 200, address: exchange.address)
    }
    .paced(by: TokenBucket(Pace(interval: .zero, burst: 1), clock: clock), mutex: mutex)
    let exchange = try Exchange.sample()
    let slow = Task { try await transport.send(exchange) }
    await gate.someoneArrives()
    let waiting = (0..<400).map { _ in Task { try await transport.send(exchange) } }
    await eventually { await mutex.waiterCount == 400 }
    await #expect(throws: UpstreamError.busy(.xkcd)) { try await transport.send(exchange) }
    for task in waiting { task.cancel() }
    for task in waiting { await #expect(throws: UpstreamError.cancelled) { try await task.value } }
    gate.open()
    #expect(try await slow.value.status == 200)
  }

  @Test func `sends nothing for a request that was cancelled while waiting`() async throws {
    let stopped = StoppedClock()
    let bucket = TokenBucket(Pace(interval: .seconds(100), burst: 1), clock: stopped)
    let script = ScriptedTransport(.reply(200))
    let transport = script.transport.limited(by: bucket)
    let exchange = try Exchange.sample()
    _ = try await transport.send(exchange)
    let task = Task { try await transport.send(exchange) }
    await stopped.someoneSleeps()
    task.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await task.value }
    #expect(script.exchanges.count == 1)
  }

  @Test func `stops all requests during a pause that the source asks for`() async throws {
    let bucket = TokenBucket(Pace(interval: .milliseconds(1), burst: 1), clock: clock)
    let error = UpstreamError.rateLimited(.xkcd, retryAfter: .seconds(30))
    let script = ScriptedTransport(.failure(error), .reply(200))
    let transport = script.transport.limited(by: bucket)
    let exchange = try Exchange.sample()
    await #expect(throws: error) { try await transport.send(exchange) }
    clock.advance(by: .seconds(10))
    await #expect(throws: UpstreamError.rateLimited(.xkcd, retryAfter: .seconds(20))) {
      try await transport.send(exchange)
    }
    #expect(script.exchanges.count == 1)
    clock.advance(by: .seconds(20))
    #expect(try await transport.send(exchange).status == 200)
  }

  @Test func `rejects a request while 400 others wait`() async throws {
    let pace = Pace(interval: .seconds(10_000), burst: 1, readerBurst: 1)
    let bucket = TokenBucket(pace, clock: StoppedClock())
    let script = ScriptedTransport(.reply(200))
    let transport = script.transport.limited(by: bucket)
    let exchange = try Exchange.sample()
    _ = try await transport.send(exchange)
    let waiting = (0..<400).map { _ in Task { try await transport.send(exchange) } }
    await eventually { await bucket.waiterCount == 400 }
    await #expect(throws: UpstreamError.busy(.xkcd)) { try await transport.send(exchange) }
    // A reader's request that need not wait is sent.
    _ = try await RequestPriority.$current.withValue(.reader) { try await transport.send(exchange) }
    #expect(script.exchanges.count == 2)
    for task in waiting { task.cancel() }
    for task in waiting { await #expect(throws: UpstreamError.cancelled) { try await task.value } }
    #expect(await bucket.waiterCount == 0)
  }
}
