// Longbox
// SPDX-License-Identifier: MIT

import LongboxUpstream
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The calls in any minute` {
  private func address(_ number: Int) throws -> WebAddress {
    try #require(WebAddress("https://itunes.apple.com/lookup?id=\(number)"))
  }

  @Test func `go out at once up to the limit, and then one for each that is a minute old`() async throws {
    let clock = JumpingClock()
    let window = CallWindow(limit: 3, span: .seconds(60), clock: clock)
    for number in 0..<3 {
      try await window.enter(try address(number))
      await window.leave()
      clock.advance(by: .seconds(10))
    }
    #expect(clock.sleeps.isEmpty)
    #expect(await window.wait(for: try address(3)) == .seconds(30))
    for number in 3..<5 {
      try await window.enter(try address(number))
      await window.leave()
    }
    #expect(clock.sleeps == [.seconds(30), .seconds(10)])
    clock.advance(by: .seconds(600))
    #expect(await window.wait(for: try address(5)) == .zero)
  }

  @Test func `wait in line, and each knows for how long`() async throws {
    let clock = ManualClock()
    let window = CallWindow(limit: 2, span: .seconds(60), clock: clock)
    let addresses = try (0..<6).map(address)
    func call(_ number: Int) async throws {
      try await window.enter(addresses[number])
      await window.leave()
    }
    for number in 0..<2 { try await call(number) }
    let waiting = (2..<5).map { number in Task { try await call(number) } }
    await eventually { await window.lineLength == 3 && clock.sleeperCount == 1 }
    var waits: [Duration] = []
    for number in 2..<6 { waits.append(await window.wait(for: addresses[number])) }
    #expect(waits.sorted() == [.seconds(60), .seconds(60), .seconds(120), .seconds(120)])
    clock.advance(by: .seconds(60))
    await eventually { await window.lineLength == 1 && clock.sleeperCount == 1 }
    clock.advance(by: .seconds(60))
    for task in waiting { try await task.value }
    #expect(await window.lineLength == 0)
  }

  @Test func `go out one at a time, so that the first "too many" stops all others`() async throws {
    let clock = ManualClock()
    let script = ScriptedTransport(.reply(403), .reply(200))
    let window = CallWindow(limit: 15, span: .seconds(60), clock: clock)
    let transport = script.transport.checkingStatus().limited(to: window, pause: .seconds(60))
    let exchanges = try (0..<15).map { try Exchange.sample(try address($0)) }
    let calls = exchanges.map { exchange in Task { try await transport.send(exchange) } }
    await eventually { await window.lineLength == 15 && clock.sleeperCount == 1 }
    #expect(script.exchanges.count == 1)
    #expect(await window.wait(for: exchanges[0].address) == .seconds(60))
    clock.advance(by: .seconds(60))
    await eventually { script.exchanges.count == 16 }
    for call in calls { #expect(try await call.value.status == 200) }
  }

  @Test func `count when they go out, so that a source that hung meets no crowd`() async throws {
    let clock = ManualClock()
    let gate = Gate()
    let script = ScriptedTransport(.reply(200))
    let window = CallWindow(limit: 3, span: .seconds(60), clock: clock)
    let transport = Transport { exchange throws(UpstreamError) in
      await gate.pass()
      return try await script.transport.send(exchange)
    }
    .limited(to: window, pause: .seconds(60))
    let exchanges = try (0..<9).map { try Exchange.sample(try address($0)) }
    let calls = exchanges.map { exchange in Task { try await transport.send(exchange) } }
    for _ in 0..<3 {
      await gate.someoneArrives()
      await eventually { await window.lineLength + script.exchanges.count == 8 }
      clock.advance(by: .seconds(30))
      gate.open()
    }
    // They went out after 0, 30 and 60 seconds; by 90 the span of the first alone is over.
    await gate.someoneArrives()
    gate.open()
    await eventually { script.exchanges.count == 4 && clock.sleeperCount <= 1 }
    for _ in 4..<9 { gate.open() }
    await eventually { script.exchanges.count == 5 && clock.sleeperCount == 1 }
    #expect(await window.lineLength == 4, "they wait in line, not behind it")
    for _ in 0..<4 {
      clock.advance(by: .seconds(60))
      await eventually { await window.lineLength == 0 || clock.sleeperCount == 1 }
    }
    for call in calls { _ = try await call.value }
  }

  @Test func `do not stop where one that waits or is out is cancelled`() async throws {
    let clock = ManualClock()
    let gate = Gate()
    let window = CallWindow(limit: 1, span: .seconds(60), clock: clock)
    let transport = Transport { exchange throws(UpstreamError) in
      await gate.pass()
      if Task.isCancelled { throw .cancelled }
      return Reply(status: 200, headers: [:], body: [], address: exchange.address)
    }
    .limited(to: window, pause: .seconds(60))
    let first = try Exchange.sample(try address(1))
    let out = Task { try await transport.send(first) }
    await gate.someoneArrives()
    #expect(await window.wait(for: first.address) == .zero)
    let others = try (2..<4).map { try Exchange.sample(try address($0)) }
    let waiting = others.map { exchange in Task { try await transport.send(exchange) } }
    await eventually { await window.lineLength == 2 }
    waiting[0].cancel()
    out.cancel()
    await eventually { await window.lineLength == 1 && clock.sleeperCount == 1 }
    clock.advance(by: .seconds(60))
    await gate.someoneArrives()
    gate.open()
    #expect(try await waiting[1].value.status == 200)
  }

  @Test func `are none while the source wants to be left alone`() async throws {
    let clock = JumpingClock()
    let window = CallWindow(limit: 5, span: .seconds(60), clock: clock)
    await window.hold(for: .seconds(90))
    #expect(await window.wait(for: try address(1)) == .seconds(90))
    try await window.enter(try address(1))
    #expect(clock.sleeps == [.seconds(90)])
  }

  @Test func `are put off and made again when the source has had enough`() async throws {
    let clock = JumpingClock()
    let script = ScriptedTransport(.reply(403), .reply(429, ["Retry-After": "7"]), .reply(200, body: [0x7B]))
    let window = CallWindow(limit: 15, span: .seconds(60), clock: clock)
    let transport = script.transport.checkingStatus().limited(to: window, pause: .seconds(60))
    let reply = try await transport.send(.sample())
    #expect(reply.status == 200)
    #expect(script.exchanges.count == 3)
    #expect(clock.sleeps == [.seconds(60), .seconds(7)])
  }

  @Test func `fail for good where it never has enough of being left alone`() async throws {
    let clock = JumpingClock()
    let script = ScriptedTransport(.reply(403))
    let window = CallWindow(limit: 15, span: .seconds(60), clock: clock)
    let transport = script.transport.checkingStatus().limited(to: window, pause: .seconds(60))
    await #expect(throws: UpstreamError.rateLimited(.xkcd, retryAfter: nil)) {
      try await transport.send(.sample())
    }
    #expect(script.exchanges.count == 3)
  }
}
