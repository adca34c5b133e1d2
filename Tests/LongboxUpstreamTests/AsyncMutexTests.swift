// Longbox
// SPDX-License-Identifier: MIT

import Synchronization
import Testing
import TestSupport

@testable import LongboxUpstream

@Suite(.timeLimit(.minutes(10))) struct `One request at a time` {
  private let mutex = AsyncMutex()
  private let gate = Gate()

  /// A transport whose requests wait at the gate while they hold the mutex; calls `inside` for each.
  private func transport(_ inside: @escaping @Sendable (String) -> Void = { _ in }) -> Transport {
    let gate = gate
    return Transport { exchange throws(UpstreamError) in
      inside(exchange.address.target)
      await gate.pass()
      guard !Task.isCancelled else { throw .cancelled }
      return Reply(status: 200, address: exchange.address)
    }
    .paced(by: TokenBucket(Pace(interval: .zero, burst: 1), clock: ContinuousClock()), mutex: mutex)
  }

  private func exchange(_ number: Int) throws -> Exchange {
    try .sample(WebAddress("https://xkcd.com/\(number)"))
  }

  @Test func `runs in order of arrival`() async throws {
    let order = Mutex<[String]>([])
    let collected = transport { target in order.withLock { $0.append(target) } }
    var tasks: [Task<Reply, any Error>] = []
    for number in 0..<5 {
      let exchange = try exchange(number)
      tasks.append(Task { try await collected.send(exchange) })
      if number == 0 { await gate.someoneArrives() }
      await eventually { await mutex.waiterCount == number }
    }
    #expect(order.withLock { $0 } == ["/0"])
    for _ in tasks { gate.open() }
    for task in tasks { _ = try await task.value }
    #expect(order.withLock { $0 } == ["/0", "/1", "/2", "/3", "/4"])
  }

  @Test func `continues after a failed and a cancelled request`() async throws {
    let transport = transport()
    let first = try exchange(1)
    let cancelled = Task { try await transport.send(first) }
    await gate.someoneArrives()
    cancelled.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await cancelled.value }
    gate.open()
    #expect(try await transport.send(first).status == 200)
  }

  @Test func `leaves no gap when a waiter gives up`() async throws {
    let transport = transport()
    let (first, second, third) = (try exchange(1), try exchange(2), try exchange(3))
    let inside = Task { try await transport.send(first) }
    await gate.someoneArrives()
    let leaving = Task { try await transport.send(second) }
    await eventually { await mutex.waiterCount == 1 }
    let staying = Task { try await transport.send(third) }
    await eventually { await mutex.waiterCount == 2 }
    leaving.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await leaving.value }
    gate.open()
    gate.open()
    #expect(try await inside.value.status == 200)
    #expect(try await staying.value.address.target == "/3")
  }

  @Test func `does not start for a cancelled task`() async throws {
    let transport = transport()
    let first = try exchange(1)
    let task = Task {
      await eventually { Task.isCancelled }
      return try await transport.send(first)
    }
    task.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await task.value }
    #expect(await mutex.waiterCount == 0)
  }
}
