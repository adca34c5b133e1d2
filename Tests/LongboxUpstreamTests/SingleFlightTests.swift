// Longbox
// SPDX-License-Identifier: MIT

import Synchronization
import Testing
import TestSupport

@testable import LongboxUpstream

@Suite(.timeLimit(.minutes(10))) struct `Equal concurrent requests` {
  private let gate = Gate()
  private let singleFlight = Transport.ReplyFlight(abandonedWork: .isCancelled)
  private let counts = Counts()

  /// How many requests were sent, and how many of them were cancelled.
  private final class Counts: Sendable {
    let sent = Mutex(0)
    let cancelled = Mutex(0)
  }

  private var transport: Transport {
    let (gate, counts) = (gate, counts)
    return Transport { exchange throws(UpstreamError) in
      counts.sent.withLock { $0 += 1 }
      await gate.pass()
      guard !Task.isCancelled else {
        counts.cancelled.withLock { $0 += 1 }
        throw .cancelled
      }
      return Reply(status: 200, address: exchange.address)
    }.coalescingRequests(in: singleFlight)
  }

  /// Starts a request and waits until it waits for the reply.
  private func start(_ exchange: Exchange, waiter number: Int) async -> Task<Reply, any Error> {
    let transport = transport
    let task = Task<Reply, any Error> { try await transport.send(exchange) }
    await eventually { await singleFlight.waiterCount(for: exchange) == number }
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
      _ = try await transport.send(exchange)
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
    #expect(try await transport.send(exchange).status == 200)
    #expect(counts.sent.withLock { $0 } == 2)
  }

  @Test func `share a failure`() async throws {
    let gate = gate
    let failing = Transport { _ throws(UpstreamError) in
      await gate.pass()
      throw .unreachable(.xkcd, reason: "no")
    }.coalescingRequests(in: singleFlight)
    let exchange = try Exchange.sample()
    let tasks = (0..<2).map { _ in Task { try await failing.send(exchange) } }
    await eventually { await singleFlight.waiterCount(for: exchange) == 2 }
    gate.open()
    for task in tasks {
      await #expect(throws: UpstreamError.unreachable(.xkcd, reason: "no")) { try await task.value }
    }
  }

  @Test func `are not sent for a cancelled task`() async throws {
    let (transport, exchange) = (transport, try Exchange.sample())
    let task = Task {
      await eventually { Task.isCancelled }
      return try await transport.send(exchange)
    }
    task.cancel()
    await #expect(throws: UpstreamError.cancelled) { try await task.value }
    #expect(counts.sent.withLock { $0 } == 0)
  }
}
