// Longbox
// SPDX-License-Identifier: MIT

import LongboxReaders
import Synchronization
import TestSupport
import Testing

@testable import LongboxServer

@Suite(.timeLimit(.minutes(5))) struct `Turns of clients` {
  private static let one = ClientAddress([192, 0, 2, 1])
  private static let two = ClientAddress([192, 0, 2, 2])

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
  }

  @Test func `let a client's own requests wait, in their order, and not those of others`() async throws {
    let turns = ClientTurns(most: 2)
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
    let turns = ClientTurns(most: 1)
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
}
