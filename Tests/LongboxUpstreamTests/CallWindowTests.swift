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
      clock.advance(by: .seconds(10))
    }
    #expect(clock.sleeps.isEmpty)
    #expect(await window.wait(for: try address(3)) == .seconds(30))
    try await window.enter(try address(3))
    try await window.enter(try address(4))
    #expect(clock.sleeps == [.seconds(30), .seconds(10)])
    clock.advance(by: .seconds(600))
    #expect(await window.wait(for: try address(5)) == .zero)
  }

  @Test func `wait in line, and each knows for how long`() async throws {
    let clock = ManualClock()
    let window = CallWindow(limit: 2, span: .seconds(60), clock: clock)
    let addresses = try (0..<6).map(address)
    for number in 0..<2 { try await window.enter(addresses[number]) }
    let waiting = (2..<5).map { number in Task { try await window.enter(addresses[number]) } }
    await eventually { await window.lineLength == 3 && clock.sleeperCount == 3 }
    var waits: [Duration] = []
    for number in 2..<6 { waits.append(await window.wait(for: addresses[number])) }
    #expect(waits.sorted() == [.seconds(60), .seconds(60), .seconds(120), .seconds(120)])
    clock.advance(by: .seconds(60))
    await eventually { await window.lineLength == 1 }
    clock.advance(by: .seconds(60))
    for task in waiting { try await task.value }
    #expect(await window.lineLength == 0)
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
