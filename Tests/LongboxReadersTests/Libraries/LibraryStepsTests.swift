// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxReaders

@Suite("Serial queues") struct SerialQueuesTests {
  private let queues = SerialQueues<String>()

  @Test func `run the steps of a key one after another, in order`() async throws {
    let gate = Gate()
    let order = Steps()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          try await queues.run("a") {
            if number == 0 { await gate.wait() }
            await order.append(number)
          }
        }
        // The next task starts only after this one is in the queue.
        await eventually { queues.count > 0 && queues.waitingCount("a") >= number }
      }
      gate.open()
      try await group.waitForAll()
    }
    #expect(await order.numbers == Array(0..<50))
    #expect(queues.count == 0, "a queue without waiting work is removed")
  }

  @Test func `run steps of other keys while one waits`() async throws {
    let gate = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await queues.run("a") { await gate.wait() } }
      await eventually { queues.count > 0 }
      #expect(try await queues.run("b") { 7 } == 7)
      #expect(queues.count == 1)
      gate.open()
      try await group.waitForAll()
    }
    #expect(queues.count == 0)
  }

  @Test func `continue after a step fails`() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) { try await queues.run("a") { throw Failure() } }
    #expect(try await queues.run("a") { 1 } == 1)
    #expect(queues.count == 0)
  }

  @Test func `finish a step after its caller is cancelled`() async throws {
    let gate = Gate()
    let done = Steps()
    let caller = Task {
      try await queues.run("a") {
        await gate.wait()
        try Task.checkCancellation()
        await done.append(1)
      }
    }
    await eventually { queues.count > 0 }
    caller.cancel()
    gate.open()
    try await caller.value
    #expect(await done.numbers == [1])
  }
}

private actor Steps {
  var numbers: [Int] = []

  func append(_ number: Int) {
    numbers.append(number)
  }
}
