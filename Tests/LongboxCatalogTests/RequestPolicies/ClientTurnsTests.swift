// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import Synchronization
import TestSupport
import Testing

@testable import LongboxCatalog
@testable import LongboxUpstream

@Suite("Turns of clients", .timeLimit(.minutes(5))) struct ClientTurnsTests {
  private static let one = "192.0.2.1"
  private static let two = "192.0.2.2"

  /// Work that lasts until the test ends it.
  private final class Gate: Sendable {
    private let stream = AsyncStream<Void>.makeStream()
    private let begun = Mutex<[Int]>([])

    var numbers: [Int] { begun.withLock { $0 } }

    func work(_ number: Int) async {
      begun.withLock { $0.append(number) }
      for await _ in stream.stream { return }
    }

    func endOne() { stream.continuation.yield() }

    /// Ends all work, also what begins later.
    func endAll() { stream.continuation.finish() }
  }

  @Test func `let a client's own requests wait, in their order, and not those of others`() async throws {
    let turns = ClientTurns<String>(at: .xkcd, most: 2)
    let (gate, other) = (Gate(), Gate())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<5 {
        group.addTask { try await turns.run(for: Self.one) { await gate.work(number) } }
        await eventually { await turns.waitingCount(of: Self.one) == max(0, number - 1) }
        await eventually { gate.numbers.count == min(2, number + 1) }
      }
      group.addTask { try await turns.run(for: Self.two) { await other.work(0) } }
      await eventually { other.numbers == [0] }
      #expect(gate.numbers == [0, 1])
      gate.endOne()
      await eventually { gate.numbers == [0, 1, 2] }
      for _ in 0..<4 { gate.endOne() }
      other.endOne()
      try await group.waitForAll()
      #expect(gate.numbers == [0, 1, 2, 3, 4])
    }
  }

  @Test func `pass on when work fails or is cancelled while it waits`() async throws {
    struct Failure: Error {}
    let turns = ClientTurns<String>(at: .xkcd, most: 1)
    let gate = Gate()
    let first = Task {
      try await turns.run(for: Self.one) {
        await gate.work(1)
        throw Failure()
      }
    }
    await eventually { gate.numbers == [1] }
    let second = Task { try await turns.run(for: Self.one) { await gate.work(2) } }
    await eventually { await turns.waitingCount(of: Self.one) == 1 }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    gate.endOne()
    await #expect(throws: Failure.self) { try await first.value }
    #expect(try await turns.run(for: Self.one) { 3 } == 3)
  }

  @Test func `reject what a client asks beyond its longest line, and not what others ask`() async throws {
    let turns = ClientTurns<String>(at: .itunes, most: 1, mostWaiting: 2)
    let gate = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<3 {
        group.addTask { try await turns.run(for: Self.one) { await gate.work(number) } }
        await eventually { await turns.waitingCount(of: Self.one) == number }
        await eventually { gate.numbers == [0] }
      }
      await #expect(throws: UpstreamError.busy(.itunes)) { try await turns.run(for: Self.one) {} }
      #expect(try await turns.run(for: Self.two) { 3 } == 3)
      gate.endAll()
      try await group.waitForAll()
    }
  }

  @Test func `join a client's equal requests, and let no client wait for another's line`() async throws {
    let requests = SourceRequests<Int>(to: .explain)
    let gate = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in [1, 2, 3, 3, 3] {
        group.addTask { try await requests.inTurn(of: Self.one, number) { await gate.work(number) } }
        await eventually { gate.numbers.count == min(number, 2) }
      }
      await eventually { await requests.asked.waiterCount(for: .init(client: Self.one, key: 3)) == 3 }
      #expect(await requests.waitingCount(of: Self.one) == 1)
      // The other one asks for what waits in the first one's line.
      group.addTask { try await requests.inTurn(of: Self.two, 3) { await gate.work(30) } }
      await eventually { gate.numbers == [1, 2, 30] }
      try await requests.inTurn(of: nil, 4) {}
      gate.endAll()
      try await group.waitForAll()
      #expect(gate.numbers == [1, 2, 30, 3])
    }
  }

  @Test func `let a household's question to the iTunes Store pass a stranger's hundred`() async throws {
    let folder = TemporaryFolder()
    let store = try Store.open(folder.url)
    let gate = Gate()
    let asked = Mutex<[String]>([])
    let rejected = Rejections()
    let transport = Transport { exchange throws(UpstreamError) in
      asked.withLock { $0.append(exchange.subject) }
      await gate.work(0)
      let body = Array(#"{"resultCount":0,"results":[]}"#.utf8)
      return Reply(status: 200, body: body, address: exchange.address)
    }
    let limiter = RequestLimiter(limit: 1_000, span: .seconds(1), clock: ContinuousClock())
    let client = ITunesClient(transport: transport, artwork: transport, limiter: limiter)
    let replies = AlbumReplyCache(
      store: store,
      client: client,
      now: { SettableTime.start },
      logger: .silent
    )
    func question(_ name: String) throws -> ITunesQuestion {
      try #require(ITunesQuestion(artistsNamed: name, in: .unitedStates))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<120 {
        let question = try question("stranger \(number)")
        group.addTask {
          do throws(CatalogError) {
            _ = try await replies.lookUp(question, within: .seconds(600), for: Self.one)
          } catch {
            #expect(error == .upstream(.busy(.itunes)))
            rejected.count.withLock { $0 += 1 }
          }
        }
      }
      await eventually { rejected.count.withLock { $0 } == 54 }
      #expect(await replies.requests.waitingCount(of: Self.one) == 64)
      await eventually { await limiter.queueLength == 1 }
      let mine = try question("household")
      group.addTask { _ = try await replies.lookUp(mine, within: .seconds(600), for: Self.two) }
      await eventually { await limiter.queueLength == 2 }
      gate.endAll()
      try await group.waitForAll()
    }
    let order = asked.withLock { $0 }
    #expect(order.firstIndex { $0.contains("household") } == 2, "Two of the stranger's were on the way.")
    #expect(order.count == 67)
    try await store.closeOnNewThread()
  }
}

/// Counts across tasks.
private final class Rejections: Sendable {
  let count = Mutex(0)
}
