// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import TestSupport
import Testing

@testable import LongboxReaders

@Suite(
  "Readers' libraries on several nodes",
  .enabled(if: PostgresServer.problem == nil, "\(PostgresServer.problem ?? "")"),
  .timeLimit(.minutes(5))
)
struct LibrariesOnNodesTests {
  private static let date = Date(timeIntervalSince1970: 1_800_000_000)
  private let folder = TemporaryFolder()
  private let names = (0..<4).map { LibraryName(key: [UInt8($0)]) }

  /// A busy machine must not look like a database that is away.
  private static var timeouts: SharedStoreTimeouts {
    var timeouts = SharedStoreTimeouts()
    timeouts.page = .seconds(120)
    timeouts.form = .seconds(120)
    return timeouts
  }

  /// Opens nodes of one new database; a node without memory reads everything each time.
  private func nodes(memory: [Int] = [64 << 20, 64 << 20]) async throws -> [Libraries] {
    let address = try #require(PostgresAddress(try await PostgresServer.emptyDatabase()))
    var limits = StorageLimits()
    limits.libraries.newLibrary = .max
    limits.newBytesPerAddress = .max
    limits.newLibrariesPerHour = 100_000
    var nodes: [Libraries] = []
    for (place, memory) in memory.enumerated() {
      let store = try await Store.open(StoreLocation(folder.path("node\(place)"), database: address))
      nodes.append(
        Libraries(store: store, memory: memory, limits: limits, timeouts: Self.timeouts) { Self.date }
      )
    }
    return nodes
  }

  private static func write(_ key: String, _ value: Text?, _ time: Int, to library: inout Library) {
    do {
      let timestamp = Timestamp(time: UInt64(time), device: 1)
      try library.set(LibraryKey(Text(string: key)), to: value, timestamp: timestamp)
    } catch {
      Issue.record(error)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func `show at every node what was written at another`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let nodes = try await nodes(memory: [64 << 20, 64 << 20, seed % 2 == 0 ? 0 : 64 << 20])
    var model = LibraryModel()
    for time in 1...120 {
      let (node, reader) = (
        nodes[Int.random(in: 0..<3, using: &random)], nodes[Int.random(in: 0..<3, using: &random)]
      )
      let name = names[Int.random(in: 0..<names.count, using: &random)]
      let keys = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        (["read/comic/", "saved/x/", "local/"].randomElement(using: &random) ?? "")
          + "\(Int.random(in: 1...400, using: &random))"
      }
      let value: Text? = Int.random(in: 0..<6, using: &random) == 0 ? nil : Text(decimal: time)
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        let other = names[Int.random(in: 0..<names.count, using: &random)]
        let paired = try await node.pair(name, with: other)
        try model.pair(name, with: other)
        #expect(paired == model.libraries[model.home(other)] ?? Library(), "seed \(seed), step \(time)")
      case 1...8:
        // Half of them bring nothing, so that only the answer shows what another node has stored.
        var changes = Library()
        if Bool.random(using: &random) {
          for key in keys where !key.hasPrefix("local/") { Self.write(key, value, time, to: &changes) }
        }
        let known = model.libraries[model.home(name)]
        let since = UInt64.random(in: 0...(known?.sequence ?? 0), using: &random)
        let request = SyncRequest(nonce: 1, epoch: 5, since: since, changes: changes)
        let isMade = !changes.entries.isEmpty || known != nil
        let reply = try await node.edit(name, makes: true) { replica in
          Result { () throws(LibraryError) in try replica.library.answer(request, epoch: 5, at: 1_000) }
        }
        var library = known ?? Library()
        let expected = try library.answer(request, epoch: 5, at: 1_000)
        #expect(try reply?.get() == expected, "seed \(seed), step \(time)")
        if isMade { model.libraries[model.home(name)] = library }
      default:
        let makes = Bool.random(using: &random)
        let isDone = try await node.edit(name, makes: makes) { replica in
          for key in keys { Self.write(key, value, time, to: &replica.library) }
          return true
        }
        let isThere = model.libraries[model.home(name)] != nil
        #expect((isDone ?? false) == (makes || isThere), "seed \(seed), step \(time)")
        guard makes || isThere else { continue }
        var library = model.libraries[model.home(name)] ?? Library()
        for key in keys { Self.write(key, value, time, to: &library) }
        if isThere || library.sequence > 0 { model.libraries[model.home(name)] = library }
      }
      let expected = model.libraries[model.home(name)]
      #expect(try await reader.storedLibrary(name) == expected, "seed \(seed), step \(time)")
    }
    for node in nodes {
      for name in names {
        #expect(try await node.storedLibrary(name) == model.libraries[model.home(name)], "seed \(seed)")
        for other in names {
          let areOne = model.home(name) == model.home(other)
          #expect(try await node.areOne(name, other) == areOne, "seed \(seed)")
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `become what all devices wrote, whichever node they sync with`(seed: UInt64) async throws {
    let nodes = try await nodes()
    let name = names[0]
    // Each device syncs with a random node each time, at the same time as the others.
    let edited = try await withThrowingTaskGroup(of: (replica: Replica, written: Library).self) { group in
      for device in 1...5 as ClosedRange<UInt64> {
        group.addTask {
          var random = SeededGenerator(seed: seed * 100 + device)
          var (replica, written) = (Replica(device: device), Library())
          for round in 1...25 {
            let key = try LibraryKey(Text(string: "saved/x/\(Int.random(in: 1...60, using: &random))"))
            let time = Timestamp(time: UInt64(round), counter: UInt32(round), device: device)
            try replica.library.set(key, to: Text(decimal: round), timestamp: time)
            var entry = Library()
            try entry.set(key, to: Text(decimal: round), timestamp: time)
            try written.merge(entry)
            try await Self.sync(&replica, with: nodes.randomElement(using: &random) ?? nodes[0], name)
          }
          return (replica, written)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    var expected = Library()
    for device in edited { try expected.merge(device.written) }
    for node in nodes {
      let stored = try await node.library(name)
      #expect(Array(stored.entries) == Array(expected.entries), "seed \(seed)")
      for device in edited {
        var replica = device.replica
        try await Self.sync(&replica, with: node, name)
        #expect(Array(replica.library.entries) == Array(expected.entries), "seed \(seed)")
      }
    }
  }

  private static func sync(_ replica: inout Replica, with node: Libraries, _ name: LibraryName) async throws {
    for nonce in 1...5 as ClosedRange<UInt64> {
      let request = replica.request(nonce: nonce)
      let reply = try await node.edit(name, makes: true) { stored in
        let epoch = stored.clock.device
        return Result { () throws(LibraryError) in
          try stored.library.answer(request, epoch: epoch, at: 1_000)
        }
      }
      guard try replica.receive(try #require(reply).get(), at: 1_000) == .again else { return }
    }
  }

  @Test func `lose no edit and leave no gap when nodes edit one at the same time`() async throws {
    let nodes = try await nodes()
    let name = names[0]
    let edits = 40
    let node = nodes[0]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<edits {
        group.addTask {
          try await nodes[number % 2].edit(name, makes: true) { replica in
            Self.write("k/\(number)", "1", 1, to: &replica.library)
          }
        }
      }
      // A reader who polls sees each sequence with all before it.
      group.addTask {
        var last = Library()
        while last.entries.count < edits {
          let next = try await node.library(name)
          #expect(next.sequence >= last.sequence)
          #expect(next.entries.count == Int(next.sequence))
          last = next
        }
      }
      try await group.waitForAll()
    }
    for node in nodes {
      let sequences = try await node.library(name).registers(writtenAfter: nil).map(\.sequence)
      #expect(sequences.sorted() == (1...UInt64(edits)).map { $0 })
    }
  }

  @Test func `can be paired both ways and edited at once without deadlock or loss`() async throws {
    let nodes = try await nodes()
    for round in 1...4 {
      let names = names.indices.map { LibraryName(key: [UInt8(round), UInt8($0)]) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for place in names.indices {
          let next = names[(place + 1) % names.count]
          for number in 0..<6 {
            group.addTask {
              try await nodes[number % 2].edit(names[place], makes: true) {
                Self.write("\(place)/\(number)", "1", 1, to: &$0.library)
              }
            }
          }
          group.addTask { _ = try await nodes[place % 2].pair(names[place], with: next) }
          group.addTask { _ = try await nodes[1 - place % 2].pair(next, with: names[place]) }
        }
        try await group.waitForAll()
      }
      for (place, name) in names.enumerated() {
        for node in nodes {
          #expect(try await node.library(name).entries.count == 6 * names.count, "round \(round), \(place)")
          #expect(try await node.areOne(name, names[0]), "round \(round), \(place)")
        }
      }
    }
  }

  @Test func `are not created again by a node that still has a removed one in memory`() async throws {
    let address = try await PostgresServer.emptyDatabase()
    let database = try #require(PostgresAddress(address))
    let store = try await Store.open(StoreLocation(folder.path("node"), database: database))
    let node = Libraries(store: store, timeouts: Self.timeouts) { Self.date }
    try await node.edit(names[0], makes: true) { Self.write("a", "1", 1, to: &$0.library) }
    try await PostgresServer.run("DELETE FROM library", in: address)
    #expect(try await node.edit(names[0], makes: false) { Self.write("b", "1", 2, to: &$0.library) } == nil)
    #expect(try await node.storedLibrary(names[0]) == nil)
    try await node.edit(names[0], makes: true) { Self.write("c", "1", 3, to: &$0.library) }
    #expect(try await node.library(names[0]).entries.map(\.key.text) == ["c"])
  }

  /// The page's call gets no statement until one of the two others ends.
  @Test func `are shown as the node knows them while calls with more time wait for the database`()
    async throws
  {
    let address = try await PostgresServer.emptyDatabase()
    let database = try #require(PostgresAddress(address))
    let store = try await Store.open(StoreLocation(folder.path("node"), database: database))
    let shared = try #require(store.shared)
    var timeouts = Self.timeouts
    timeouts.page = .milliseconds(50)
    let node = Libraries(store: store, timeouts: timeouts) { Self.date }
    let name = names[0]
    try await node.edit(name, makes: true) { Self.write("a", "1", 1, to: &$0.library) }
    let known = try #require(try await node.rememberedReplica(name))
    func sessions(_ condition: String) async throws -> String {
      try await PostgresServer.run(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND \(condition)",
        in: address
      )
    }
    let lock = Task {
      try await PostgresServer.run("BEGIN; LOCK TABLE library; SELECT pg_sleep(120)", in: address)
    }
    try await eventually { try await sessions("wait_event = 'PgSleep'") == "1" }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for count in 1...2 {
        group.addTask { _ = try? await shared.libraryUpdate(of: name, since: known, within: .seconds(60)) }
        try await eventually { try await sessions("wait_event_type = 'Lock'") == "\(count)" }
      }
      #expect(try await node.storedLibrary(name) == known.library)
      #expect(try await sessions("wait_event_type = 'Lock'") == "2", "They still wait.")
      try await PostgresServer.run(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event = 'PgSleep'
        """,
        in: address
      )
      try await group.waitForAll()
    }
    _ = try? await lock.value
  }
}
