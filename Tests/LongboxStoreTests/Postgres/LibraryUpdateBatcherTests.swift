// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Synchronization
import TestSupport
import Testing

@testable import LongboxStore

@Suite("Calls for the updates of libraries", .timeLimit(.minutes(10))) struct LibraryUpdateBatcherTests {
  /// Answers each library with an update that has its name, once it may.
  private final class Database: Sendable {
    private struct State {
      var asked = 0
      var sizes: [Int] = []
      var running = 0
      var most = 0
      var isOpen = false
    }

    private let state = Mutex(State())

    /// How many calls have begun.
    var asked: Int { state.withLock(\.asked) }
    var sizes: [Int] { state.withLock(\.sizes) }
    var running: Int { state.withLock(\.running) }
    /// How many statements ran at the same time.
    var most: Int { state.withLock(\.most) }

    func noteCall() { state.withLock { $0.asked += 1 } }

    func open() { state.withLock { $0.isOpen = true } }

    func read(_ libraries: [KnownLibrary]) async -> [Result<LibraryUpdate, any Error>] {
      state.withLock { state in
        state.sizes.append(libraries.count)
        state.running += 1
        state.most = max(state.most, state.running)
      }
      await eventually { state.withLock(\.isOpen) }
      state.withLock { $0.running -= 1 }
      return libraries.map { library in
        library.replica.clock.device == 13
          ? .failure(PostgresError(.unexpectedValue, "a damaged row"))
          : .success(.changed(library.replica, home: library.name))
      }
    }
  }

  private func name(_ index: Int) -> LibraryName {
    LibraryName(key: [UInt8(index / 256), UInt8(index % 256)])
  }

  @Test func `share statements while two are under way, and get each its own answer`() async throws {
    let database = Database()
    let batcher = LibraryUpdateBatcher { libraries, _ in await database.read(libraries) }
    let total = 200
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<total {
        let known = Replica(device: UInt64(index))
        group.addTask {
          database.noteCall()
          let name = self.name(index)
          if index == 13 {
            await #expect(throws: PostgresError.self) {
              try await batcher.update(of: name, since: known, within: .seconds(60))
            }
          } else {
            let update = try await batcher.update(of: name, since: known, within: .seconds(60))
            #expect(update == .changed(known, home: name))
          }
        }
      }
      await eventually { database.asked == total && database.running == 2 }
      database.open()
      try await group.waitForAll()
    }
    #expect(database.most == 2)
    #expect(database.sizes.reduce(0, +) == total)
    #expect(database.sizes.allSatisfy { $0 <= 32 })
    #expect(database.sizes.count < 20)
  }

  @Test func `whose time is over while statements before them run are not asked`() async throws {
    let database = Database()
    let batcher = LibraryUpdateBatcher { libraries, _ in await database.read(libraries) }
    let known = Replica(device: 1)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<2 {
        group.addTask {
          _ = try await batcher.update(of: self.name(index), since: known, within: .seconds(60))
        }
        await eventually { database.running == index + 1 }
      }
      group.addTask {
        database.noteCall()
        let error = await #expect(throws: PostgresError.self) {
          try await batcher.update(of: self.name(2), since: known, within: .zero)
        }
        #expect(error?.kind == .timedOut)
      }
      await eventually { database.asked == 1 }
      database.open()
      try await group.waitForAll()
    }
    #expect(database.sizes == [1, 1])
  }

  @Test func `fail with the statement that they share`() async {
    let batcher = LibraryUpdateBatcher { _, _ in throw PostgresError(.connectionLost, "no connection") }
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<100 {
        group.addTask {
          let error = await #expect(throws: PostgresError.self) {
            try await batcher.update(of: self.name(index), since: Replica(device: 1), within: .seconds(60))
          }
          #expect(error?.kind == .connectionLost)
        }
      }
    }
  }
}
