// Longbox
// SPDX-License-Identifier: MIT

import Synchronization
import TestSupport
import Testing

@testable import LongboxUpstream

@Suite("A limiter's pace", .timeLimit(.minutes(10))) struct RequestLimiterPaceTests {
  private let clock = JumpingClock()

  @Test func `keeps its pace from the second request on`() async throws {
    let limiter = RequestLimiter(Pace(interval: .milliseconds(500), burst: 1), clock: clock)
    for _ in 0..<4 { try await limiter.take() }
    #expect(clock.sleeps == Array(repeating: .milliseconds(500), count: 3))
  }

  @Test func `allows a burst after a pause, and no more than that after a long one`() async throws {
    let limiter = RequestLimiter(Pace(interval: .seconds(4), burst: 3), clock: clock)
    for _ in 0..<3 { try await limiter.take() }
    #expect(clock.sleeps.isEmpty)
    try await limiter.take()
    #expect(clock.sleeps == [.seconds(4)])
    clock.advance(by: .seconds(1000))
    for _ in 0..<3 { try await limiter.take() }
    #expect(clock.sleeps.count == 1)
    try await limiter.take()
    #expect(clock.sleeps.count == 2)
  }

  @Test func `counts time that has already passed`() async throws {
    let limiter = RequestLimiter(Pace(interval: .seconds(1), burst: 1), clock: clock)
    try await limiter.take()
    clock.advance(by: .milliseconds(700))
    try await limiter.take()
    #expect(clock.sleeps == [.milliseconds(300)])
  }

  @Test func `keeps its pace for concurrent requests`() async throws {
    let limiter = RequestLimiter(Pace(interval: .seconds(1), burst: 1), clock: clock)
    let start = clock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try await limiter.take() } }
      try await group.waitForAll()
    }
    #expect(start.duration(to: clock.now) == .seconds(19))
  }

  @Test func `lets readers go ahead of the pace, and lets the background pay them back`() async throws {
    let pace = Pace(interval: .seconds(1), burst: 1, readerBurst: 3)
    let limiter = RequestLimiter(pace, clock: clock)
    try await limiter.take(.background)
    for _ in 0..<3 { try await limiter.take(.reader) }
    #expect(clock.sleeps.isEmpty)
    try await limiter.take(.reader)
    #expect(clock.sleeps == [.seconds(1)])
    try await limiter.take(.background)
    #expect(clock.sleeps == [.seconds(1), .seconds(4)])
  }

  @Test func `begins empty where another program has stopped, which may have just sent a burst`() async throws
  {
    let pace = Pace(interval: .seconds(1), burst: 1, readerBurst: 3)
    let limiter = RequestLimiter(pace, clock: clock)
    try await limiter.take(.reader, term: 1)
    #expect(clock.sleeps == [.seconds(1)])
    try await limiter.take(.background, term: 1)
    #expect(clock.sleeps == [.seconds(1), .seconds(4)])
    try await limiter.take(.reader, term: 2)
    #expect(clock.sleeps == [.seconds(1), .seconds(4), .seconds(1)])
  }

  @Test func `sends nothing when this node's term is over`() async throws {
    let script = ScriptedTransport(.reply(200))
    let limiter = RequestLimiter(Pace(interval: .seconds(1), burst: 1), clock: clock)
    let questions = Atomic(0)
    let client = SourceClient(
      over: script.transport,
      limiter: limiter,
      term: { questions.wrappingAdd(1, ordering: .relaxed).newValue == 1 ? 7 : nil }
    )
    await #expect(throws: UpstreamError.cancelled) { try await client.send(.sample()) }
    #expect(script.exchanges.isEmpty)
  }

  @Test func `lets a reader pass a background request that waits`() async throws {
    let stopped = StoppedClock()
    let pace = Pace(interval: .seconds(100), burst: 1, readerBurst: 1)
    let script = ScriptedTransport(.reply(200))
    let limiter = RequestLimiter(pace, oneAtATime: true, clock: stopped)
    let client = SourceClient(over: script.transport, limiter: limiter)
    _ = try await client.send(.sample())
    let background = Task { try await client.send(.sample()) }
    await stopped.someoneSleeps()
    _ = try await client.send(.sample(), priority: .reader)
    #expect(script.exchanges.count == 2)
    background.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await background.value }
  }

  @Test func `counts a request when it is sent, so that a slow one is not followed by a burst`() async throws
  {
    let clock = ManualClock()
    let gate = Gate()
    let limiter = RequestLimiter(Pace(interval: .seconds(1), burst: 1), oneAtATime: true, clock: clock)
    let times = Mutex<[Duration]>([])
    let transport = Transport { exchange throws(UpstreamError) in
      times.withLock { $0.append(clock.now.offset) }
      await gate.pass()
      return Reply(status: 200, address: exchange.address)
    }
    let client = SourceClient(over: transport, limiter: limiter)
    let exchange = try Exchange.sample()
    let calls = (0..<3).map { _ in Task { try await client.send(exchange) } }
    await gate.someoneArrives()
    await eventually { await limiter.lineLength == 2 }
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
    let limiter = RequestLimiter(Pace(interval: .zero, burst: 1), oneAtATime: true, clock: clock)
    let transport = Transport { exchange throws(UpstreamError) in
      await gate.pass()
      return Reply(status: 200, address: exchange.address)
    }
    let client = SourceClient(over: transport, limiter: limiter)
    let exchange = try Exchange.sample()
    let slow = Task { try await client.send(exchange) }
    await gate.someoneArrives()
    let waiting = (0..<400).map { _ in Task { try await client.send(exchange) } }
    await eventually { await limiter.lineLength == 400 }
    await #expect(throws: UpstreamError.busy(.xkcd)) { try await client.send(exchange) }
    for task in waiting { task.cancel() }
    for task in waiting { await #expect(throws: UpstreamError.cancelled) { try await task.value } }
    gate.open()
    #expect(try await slow.value.status == 200)
  }

  @Test func `sends nothing for a request that was cancelled while waiting`() async throws {
    let stopped = StoppedClock()
    let limiter = RequestLimiter(Pace(interval: .seconds(100), burst: 1), clock: stopped)
    let script = ScriptedTransport(.reply(200))
    let client = SourceClient(over: script.transport, limiter: limiter)
    let exchange = try Exchange.sample()
    _ = try await client.send(exchange)
    let task = Task { try await client.send(exchange) }
    await stopped.someoneSleeps()
    task.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await task.value }
    #expect(script.exchanges.count == 1)
  }

  @Test func `stops all requests during a pause that the source asks for`() async throws {
    let limiter = RequestLimiter(Pace(interval: .milliseconds(1), burst: 1), clock: clock)
    let error = UpstreamError.rateLimited(.xkcd, retryAfter: .seconds(30))
    let script = ScriptedTransport(.failure(error), .reply(200))
    let client = SourceClient(over: script.transport, limiter: limiter)
    let exchange = try Exchange.sample()
    await #expect(throws: error) { try await client.send(exchange) }
    clock.advance(by: .seconds(10))
    await #expect(throws: UpstreamError.rateLimited(.xkcd, retryAfter: .seconds(20))) {
      try await client.send(exchange)
    }
    #expect(script.exchanges.count == 1)
    clock.advance(by: .seconds(20))
    #expect(try await client.send(exchange).status == 200)
  }

  @Test func `rejects a request while 400 others wait`() async throws {
    let pace = Pace(interval: .seconds(10_000), burst: 1, readerBurst: 1)
    let limiter = RequestLimiter(pace, clock: StoppedClock())
    let script = ScriptedTransport(.reply(200))
    let client = SourceClient(over: script.transport, limiter: limiter)
    let exchange = try Exchange.sample()
    _ = try await client.send(exchange)
    let waiting = (0..<400).map { _ in Task { try await client.send(exchange) } }
    await eventually { await limiter.sleeperCount == 400 }
    await #expect(throws: UpstreamError.busy(.xkcd)) { try await client.send(exchange) }
    // A reader's request that need not wait is sent.
    _ = try await client.send(exchange, priority: .reader)
    #expect(script.exchanges.count == 2)
    for task in waiting { task.cancel() }
    for task in waiting { await #expect(throws: UpstreamError.cancelled) { try await task.value } }
    #expect(await limiter.sleeperCount == 0)
  }
}

@Suite("One request at a time", .timeLimit(.minutes(10))) struct AsyncMutexTests {
  private let limiter = RequestLimiter(
    Pace(interval: .zero, burst: 1),
    oneAtATime: true,
    clock: ContinuousClock()
  )
  private let gate = Gate()

  /// A client whose requests wait at the gate while they are under way; calls `inside` for each.
  private func client(_ inside: @escaping @Sendable (String) -> Void = { _ in }) -> SourceClient {
    let gate = gate
    let transport = Transport { exchange throws(UpstreamError) in
      inside(exchange.address.target)
      await gate.pass()
      guard !Task.isCancelled else { throw .cancelled }
      return Reply(status: 200, address: exchange.address)
    }
    return SourceClient(over: transport, limiter: limiter)
  }

  private func exchange(_ number: Int) throws -> Exchange {
    try .sample(WebAddress("https://xkcd.com/\(number)"))
  }

  @Test func `runs in order of arrival`() async throws {
    let order = Mutex<[String]>([])
    let collected = client { target in order.withLock { $0.append(target) } }
    var tasks: [Task<Reply, any Error>] = []
    for number in 0..<5 {
      let exchange = try exchange(number)
      tasks.append(Task { try await collected.send(exchange) })
      if number == 0 { await gate.someoneArrives() }
      await eventually { await limiter.lineLength == number }
    }
    #expect(order.withLock { $0 } == ["/0"])
    for _ in tasks { gate.open() }
    for task in tasks { _ = try await task.value }
    #expect(order.withLock { $0 } == ["/0", "/1", "/2", "/3", "/4"])
  }

  @Test func `continues after a failed and a cancelled request`() async throws {
    let client = client()
    let first = try exchange(1)
    let cancelled = Task { try await client.send(first) }
    await gate.someoneArrives()
    cancelled.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await cancelled.value }
    gate.open()
    #expect(try await client.send(first).status == 200)
  }

  @Test func `leaves no gap when a waiter gives up`() async throws {
    let client = client()
    let (first, second, third) = (try exchange(1), try exchange(2), try exchange(3))
    let inside = Task { try await client.send(first) }
    await gate.someoneArrives()
    let leaving = Task { try await client.send(second) }
    await eventually { await limiter.lineLength == 1 }
    let staying = Task { try await client.send(third) }
    await eventually { await limiter.lineLength == 2 }
    leaving.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await leaving.value }
    gate.open()
    gate.open()
    #expect(try await inside.value.status == 200)
    #expect(try await staying.value.address.target == "/3")
  }

  @Test func `does not start for a cancelled task`() async throws {
    let client = client()
    let first = try exchange(1)
    let task = Task {
      await eventually { Task.isCancelled }
      return try await client.send(first)
    }
    task.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await task.value }
    #expect(await limiter.lineLength == 0)
  }
}

extension RequestLimiter {
  /// Waits for a turn of a request that ends at once.
  fileprivate func take(_ priority: RequestPriority = .background, term: Int? = nil) async throws {
    try await acquire(.sample(), priority, term: { term })
  }
}
