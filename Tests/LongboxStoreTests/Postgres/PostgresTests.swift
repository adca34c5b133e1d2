// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import Synchronization
import TestSupport
import Testing

@testable import LongboxStore

/// Tests of PostgreSQL alone; the other suites test what both engines have in common.
@Suite(
  "A store in PostgreSQL",
  .enabled(if: PostgresServer.problem == nil, "\(PostgresServer.problem ?? "")"),
  .timeLimit(.minutes(5))
)
struct PostgresTests {
  private let folder = TemporaryFolder()
  private let date = Date(timeIntervalSince1970: 1_800_000_000)

  /// Opens a node: another data folder with the same database.
  private func node(_ name: String = "node", in database: String) async throws -> Store {
    try await Store.open(location(name, in: database))
  }

  private func location(_ name: String, in database: String) throws -> StoreLocation {
    let address: PostgresAddress = try #require(PostgresAddress(database))
    return StoreLocation(folder.path(name), database: address)
  }

  private func replica(_ keys: Text..., from start: Replica = Replica(device: 7)) throws -> Replica {
    var replica = start
    for key in keys {
      let time = replica.editTime(at: 1_000).timestamp
      try replica.library.set(LibraryKey(key), to: "1", timestamp: time)
    }
    return replica
  }

  @Test func `makes its tables once, however many nodes start at the same time`() async throws {
    let database = try await PostgresServer.emptyDatabase()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for name in 1...5 {
        group.addTask { try await self.node("\(name)", in: database).comics.count() }
      }
      for try await count in group { #expect(count == 0) }
    }
    #expect(
      try await PostgresServer.run("SELECT count(*) FROM migration", in: database)
        == "\(Migration.all.count { $0.postgres != nil })"
    )
  }

  @Test func `is refused where it is empty, incomplete, or of another version`() async throws {
    let database = try await PostgresServer.emptyDatabase()
    let location = try location("node", in: database)
    let name = "\(try #require(location.database))"
    await #expect(throws: StoreError.nothingStored(folder: name)) { try await Store.openReading(location) }
    try await Store.open(location).closeOnNewThread()
    #expect(try await Store.openReading(location).comics.count() == 0)
    try await PostgresServer.run("UPDATE store SET is_complete = false", in: database)
    await #expect(throws: StoreError.incompleteCopy(database: name)) { try await Store.open(location) }
    await #expect(throws: StoreError.incompleteCopy(database: name)) {
      try await Store.openReading(location)
    }
    try await PostgresServer.run(
      "UPDATE store SET is_complete = true; INSERT INTO migration VALUES ('999 later', 0)",
      in: database
    )
    await #expect(throws: StoreError.newerVersion(file: name)) { try await Store.open(location) }
    await #expect(throws: StoreError.newerVersion(file: name)) { try await Store.openReading(location) }
  }

  @Test func `keeps its data folder to one process, and its database to any number`() async throws {
    let database = try await PostgresServer.emptyDatabase()
    let one = try await node("one", in: database)
    await #expect(throws: inUse(folder.path("one"))) {
      try await self.node("one", in: database)
    }
    let two = try await node("two", in: database)
    try await one.comics.save([record(1)])
    #expect(try await two.comics.comic(number(1))?.raw == record(1).raw)
    let beside = try await Store.openReading(location("one", in: database))
    #expect(try await beside.comics.count() == 1)
    await #expect(throws: StoreError.openedForReading(folder: folder.path("one").path)) {
      try await beside.comics.save([record(2)])
    }
  }

  @Test(arguments: ["secret", "secret/x", "secret/x?y", "%secret"])
  func `that can't be reached is named without its password`(password: String) async throws {
    let address = "postgresql://reader:\(password)@/nothing?host=\(folder.url.path)&connect_timeout=1"
    let error = await #expect(throws: StoreError.self) { try await self.node(in: address) }
    guard case .unreachable(let name, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(name == "postgresql:///nothing")
    #expect(!"\(name) \(reason)".contains("secret"))
  }

  @Test func `goes on after the server has closed its connections`() async throws {
    let database = try await PostgresServer.emptyDatabase()
    let store = try await node(in: database)
    try await store.comics.save([record(1)])
    try await PostgresServer.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      in: database
    )
    #expect(try await store.comics.count() == 1)
    try await store.comics.save([record(2)])
    #expect(try await store.comics.count() == 2)
  }

  /// A pool whose watching component has had no answer for two hours.
  ///
  /// Its times are longer than what a busy machine takes between two calls.
  private func silentPool() async throws -> PostgresPool {
    let database = try await PostgresServer.emptyDatabase()
    let address = try #require(PostgresAddress(database))
    // Loads libpq.
    _ = try PostgresEngine.connect(address, StorePlace(folder: folder.url))
    var settings = PostgresSettings(address: address)
    settings.longestSilence = .seconds(3_600)
    settings.probeInterval = .seconds(3_600)
    let pool = PostgresPool(settings)
    pool.watch { .seconds(7_200) }
    return pool
  }

  @Test func `fails at once after a long silence, except for one call`() async throws {
    let pool = try await silentPool()
    let calls = Mutex(0)
    let fail: @Sendable (PostgresSession) throws -> Void = { _ in
      calls.withLock { $0 += 1 }
      throw PostgresError(.connectionLost, "the server is away")
    }
    for _ in 0..<3 {
      let error = await #expect(throws: PostgresError.self) { try await pool.read(fail) }
      #expect(error?.kind == .unavailable)
    }
    let count = calls.withLock { $0 }
    #expect(count == 1, "One call asks the database, and isn't repeated.")
    pool.watch { .seconds(3_599) }
    try await pool.read { session in _ = try session.execute("SELECT 1") }
    pool.close()
  }

  @Test func `goes on while only the connection for notifications gets no answer`() async throws {
    let pool = try await silentPool()
    let ask: @Sendable (PostgresSession) throws -> Void = { try $0.execute("SELECT 1") }
    // The first call asks whether the database answers. It does, so the others need not.
    for _ in 0..<3 { try await pool.read(ask) }
    pool.close()
  }

  @Test func `counts as answering while the server refuses the connection for notifications`() async throws {
    let database = try await PostgresServer.emptyDatabase()
    let store = try await node(in: database)
    let cluster = try #require(store.cluster)
    let name = try await PostgresServer.run("SELECT current_database()", in: database)
    let other = try await PostgresServer.emptyDatabase()
    // Open connections stay.
    try await PostgresServer.run("ALTER DATABASE \"\(name)\" ALLOW_CONNECTIONS false", in: other)
    let running = Task { await cluster.run() }
    await eventually { cluster.silence + .seconds(1) < cluster.listener.silence }
    #expect(try await store.comics.count() == 0)
    running.cancel()
    await running.value
  }

  @Test func `saves a new subscription once, also if two nodes get it at the same time`() async throws {
    let database = try await PostgresServer.emptyDatabase()
    let nodes = [try await node("one", in: database), try await node("two", in: database)]
    for index in 0..<20 {
      let new = NewSubscription(
        endpoint: "https://push.example.net/\(index)",
        service: "https://push.example.net",
        publicKey: [UInt8](repeating: 4, count: 65),
        secret: [UInt8](repeating: 5, count: 16)
      )
      try await withThrowingTaskGroup(of: Void.self) { group in
        for node in nodes {
          group.addTask { _ = try await node.subscriptions.save(new, newest: nil, at: self.date) }
        }
        try await group.waitForAll()
      }
    }
    #expect(try await nodes[0].subscriptions.all().count == 20)
  }

  @Test func `keeps one feed of a library, also if two nodes save one at the same time`() async throws {
    let database = try await PostgresServer.emptyDatabase()
    let nodes = [try await node("one", in: database), try await node("two", in: database)]
    for round in 0..<20 {
      let library = LibraryName(key: [UInt8(round)])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, node) in nodes.enumerated() {
          let token = "feed-of-node-\(index)-in-round-\(round)"
          let feed = FavoritesFeed(token: token, library: library, createdAt: date)
          group.addTask { try await node.feeds.saveFavoritesFeed(feed) }
        }
        try await group.waitForAll()
      }
      #expect(try await nodes[0].feeds.favoritesFeeds(of: library).count == 1)
    }
  }

  @Test func `hides no change from a caller that asks for those after its last revision`() async throws {
    let database = try await PostgresServer.emptyDatabase()
    let (writers, reader) = (
      try await [node("a", in: database), node("b", in: database)], try await node("c", in: database)
    )
    let total = 60
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, writer) in writers.enumerated() {
        for part in 0..<3 {
          group.addTask {
            for step in 0..<10 { try await writer.comics.save([record(1 + index * 30 + part * 10 + step)]) }
          }
        }
      }
      group.addTask {
        var (last, seen) = (Revision.empty, Set<Comic.Number>())
        while seen.count < total {
          for comic in try await reader.comics.comics(changedSince: last) {
            seen.insert(comic.number)
            last = max(last, comic.revision)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await reader.comics.revision() == Revision(total))
  }

  @Test func `fails a change of a library that another node has changed, and keeps the other's`() async throws
  {
    let database = try await PostgresServer.emptyDatabase()
    let (one, two) = (try await node("one", in: database), try await node("two", in: database))
    let name = LibraryName(key: [1])
    let start = try replica("a")
    try await one.libraries.save(start, changedSince: 0, as: name, at: date)
    let (left, right) = (try replica("left", from: start), try replica("right", from: start))
    try await one.libraries.save(left, changedSince: 1, as: name, at: date)
    await #expect(throws: StoreError.self) {
      try await two.libraries.save(right, changedSince: 1, as: name, at: date)
    }
    #expect(try await two.libraries.library(name) == .library(left))
  }

  @Test func `reads with one statement what other nodes have changed in many libraries`() async throws {
    let database = try await PostgresServer.emptyDatabase()
    let (one, two) = (try await node("one", in: database), try await node("two", in: database))
    let names = (0..<5).map { LibraryName(key: [UInt8($0)]) }
    let start = try replica("a")
    for name in names[0...3] { try await one.libraries.save(start, changedSince: 0, as: name, at: date) }
    let changed = try replica("b", from: start)
    try await one.libraries.save(changed, changedSince: 1, as: names[1], at: date)
    let merged = try replica("c", from: changed)
    try await one.libraries.pair(
      names[2],
      holding: start,
      with: names[1],
      merged: merged,
      changedSince: 2,
      at: date
    )
    try await PostgresServer.run(
      "UPDATE library SET sequence = 2 WHERE name = '\\x\(hex(names[3]))'; UPDATE library_register SET sequence = 9 FROM library WHERE library = id AND name = '\\x\(hex(names[3]))'",
      in: database
    )
    let known = names.map { KnownLibrary(name: $0, replica: start) }
    let updates = try await two.postgres.pool.read { session in
      try session.updates(of: known)
    }
    #expect(updates.count == names.count)
    #expect(try updates[0].get() == .unchanged)
    #expect(try updates[1].get() == .changed(merged, home: names[1]))
    #expect(try updates[2].get() == .changed(merged, home: names[1]))
    #expect(throws: DamagedLibrary.self, "Its damage concerns no other library.") { try updates[3].get() }
    #expect(try updates[4].get() == .gone)
  }

  private func hex(_ name: LibraryName) -> String {
    name.bytes.map { String(format: "%02x", $0) }.joined()
  }

  @Test func `brings pictures to each node's disk, and forgets those that the database has lost`()
    async throws
  {
    let database = try await PostgresServer.emptyDatabase()
    let (one, two) = (try await node("one", in: database), try await node("two", in: database))
    try await one.comics.save([record(1), record(2)])
    try await one.pictures.save([picture(1), picture(2)])
    #expect(folder.files(in: "one/pictures").count == 4)
    #expect(folder.files(in: "two/pictures").isEmpty)
    let here = try #require(try await two.pictures.picture(.standard, of: number(1)))
    #expect(try [UInt8](Data(contentsOf: here.file)) == pictureBytes(1))
    try FileManager.default.removeItem(at: here.file)
    #expect(try await two.pictures.bytes(of: here) == pictureBytes(1), "The database still has it.")
    #expect(try await two.audit(readingPictures: true).isSound)
    try await PostgresServer.run("DELETE FROM blob WHERE name = '\(here.name)'", in: database)
    #expect(try await two.audit().missingPictures == [here.name])
    try FileManager.default.removeItem(at: here.file)
    #expect(try await two.pictures.picture(.standard, of: number(1)) == nil)
    #expect(try await two.fetches.status(of: .picture, of: number(1)).state == .never)
    #expect(try await two.audit().isSound)
  }

  @Test func `forgets a picture whose bytes have changed in the database`() async throws {
    let database = try await PostgresServer.emptyDatabase()
    let store = try await node(in: database)
    try await store.comics.save([record(1)])
    try await store.pictures.save([picture(1)])
    let stored = try #require(try await store.pictures.picture(.standard, of: number(1)))
    try FileManager.default.removeItem(at: stored.file)
    try await PostgresServer.run(
      "UPDATE blob SET bytes = set_byte(bytes, 0, get_byte(bytes, 0) # 1) WHERE name = '\(stored.name)'",
      in: database
    )
    #expect(try await store.pictures.picture(.standard, of: number(1)) == nil)
    #expect(try await store.fetches.status(of: .picture, of: number(1)).state == .never)
    try await store.pictures.save([picture(1)])
    #expect(
      try await store.pictures.bytes(of: try #require(store.pictures.picture(.standard, of: number(1))))
        == pictureBytes(1)
    )
    #expect(try await store.audit(readingPictures: true).isSound)
  }

  @Test func `sweeps pictures without a row an hour later, also from the disk`() async throws {
    let database = try await PostgresServer.emptyDatabase()
    let store = try await node(in: database)
    try await store.comics.save([record(1)])
    try await store.pictures.save([picture(1, seed: 1)])
    try await store.pictures.save([picture(1, seed: 2)])
    #expect(try await PostgresServer.run("SELECT count(*) FROM blob", in: database) == "4")
    #expect(folder.files(in: "node/pictures").count == 2)
    #expect(try await store.pictures.sweep() == PictureTotals())
    try await PostgresServer.run("UPDATE blob SET stored_at = stored_at - 3601", in: database)
    #expect(try await store.pictures.sweep() == PictureTotals(files: 2, bytes: 340))
    #expect(
      try await store.pictures.bytes(of: try #require(store.pictures.picture(.standard, of: number(1))))
        == pictureBytes(2)
    )
  }

  @Test func `is backed up into the same file as SQLite`() async throws {
    let database = try await PostgresServer.emptyDatabase()
    let store = try await node(in: database)
    try await store.comics.save([record(1), record(2)])
    try await store.pictures.save([picture(1)])
    let library = try replica("a", "b")
    try await store.libraries.save(library, changedSince: 0, as: LibraryName(key: [1]), at: date)
    let backup = folder.path("backup")
    let written = try await store.backUp(to: backup, with: [])
    #expect(try Store.checkBackup(backup) == written)
    #expect(try Store.restore(backup, to: folder.path("restored")) == nil)
    let restored = try Store.open(folder.path("restored"))
    #expect(try await restored.comics.count() == 2)
    #expect(try await restored.libraries.library(LibraryName(key: [1])) == .library(library))
    #expect(try await restored.audit(readingPictures: true).wholePictures == 2)
  }
}
