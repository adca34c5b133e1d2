// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import Testing
import TestSupport

@testable import longbox_replay

@Suite(.timeLimit(.minutes(10))) struct ListenerTests {
  @Test func `refuses connections for a while, then listens on the same port again`() async throws {
    let fixture = try Fixture()
    let clock = PausedClock()
    let replayed = try Replayed(folder: fixture.folder, now: { Date() }, clock: ContinuousClock())
    let (listening, continuation) = AsyncStream<(port: Int, isFirst: Bool)>.makeStream()
    let listener = Listener(replayed, host: "127.0.0.1", port: 0, logger: .quiet, clock: clock) {
      continuation.yield(($0, $1))
    }
    let group = ServiceGroup(configuration: .init(services: [listener], logger: .quiet))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      var starts = listening.makeAsyncIterator()
      var pauses = clock.asleep.makeAsyncIterator()
      let first = try #require(await starts.next())
      #expect(first.isFirst)
      #expect(try await RawExchange.get("/1/info.0.json", port: first.port).body == Fixture.records[1])

      await listener.refuse(for: .seconds(1))
      _ = await pauses.next()
      // A connection in the kernel's queue is reset instead of refused.
      let answer = try? await RawExchange.get("/1/", port: first.port)
      #expect(answer.map { $0.wasReset && $0.bytes.readableBytes == 0 } ?? true)

      clock.wake()
      let second = try #require(await starts.next())
      #expect(second == (first.port, false))
      #expect(try await RawExchange.get("/2/info.0.json", port: first.port).body == Fixture.records[2])
      await group.triggerGracefulShutdown()
    }
    _ = consume fixture
  }
}

/// Runs the program that was built next to the tests.
@Suite(
  .timeLimit(.minutes(10)),
  .enabled(if: Program.isBuilt("longbox-replay"), "the program isn't beside the tests")
)
struct ReplayProcessTests {
  @Test func `prints its address, answers, and stops cleanly on SIGTERM`() async throws {
    let fixture = try Fixture()
    let process = try Program(built: "longbox-replay", ["--data", fixture.folder.path])
    let line = try await process.firstLine()
    let match = try #require(line.wholeMatch(of: /http:\/\/127\.0\.0\.1:(\d+)/))
    let port = try #require(Int(match.1))
    #expect(try await RawExchange.get("/1/info.0.json", port: port).body == Fixture.records[1])
    process.terminate()
    #expect(try await process.end().code == 0)
    _ = consume fixture
  }

  @Test func `reports a wrong folder on stderr`() async throws {
    let process = try Program(built: "longbox-replay", ["--data", "/nowhere"])
    let end = try await process.end()
    #expect(end.code == 66)
    #expect(end.errors.contains("/nowhere/xkcd/comics.jsonl can't be read"))
  }
}
