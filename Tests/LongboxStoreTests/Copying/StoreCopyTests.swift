// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore
import TestSupport
import Testing

@testable import LongboxStore

@Suite(
  "A store that is copied to another engine",
  .enabled(if: PostgresServer.problem == nil, "\(PostgresServer.problem ?? "")"),
  .timeLimit(.minutes(5))
)
struct StoreCopyTests {
  private let folder = TemporaryFolder()
  private let start = Date(timeIntervalSince1970: 1_800_000_000)

  /// A store in SQLite with rows in all tables.
  private func full() async throws -> StoreLocation {
    let location = StoreLocation(folder.path("full"))
    try await EarlierStores.lay(#require(EarlierStores.versions.last), in: location.folder)
    let store = try Store.open(location.folder)
    try await store.comics.save([record(1000), record(1001)])
    try await store.pictures.save([picture(1000), picture(1001)])
    _ = try await store.access.add(.key, CredentialHash(of: [1]), name: "feeds", at: start)
    let gone = try await store.access.add(.session, CredentialHash(of: [2]), name: "gone", at: start)
    try await store.access.remove(gone.id)
    try await store.access.setPassphrase("hash", at: start)
    for comic in [1000, 1001] {
      try await store.hooks.schedule(
        for: [[UInt8](repeating: 7, count: 32)],
        upTo: number(comic),
        atMost: 3,
        at: start
      )
    }
    _ = try await store.libraries.expire(idleDays: 0, unusedDays: 0, at: start)
    var replica = Replica(device: .max)
    for key in ["\u{0}", "favorite/comic/1", "read/comic/2"] as [Text] {
      let time = replica.editTime(at: 1_000).timestamp
      try replica.library.set(LibraryKey(key), to: key == "read/comic/2" ? nil : "", timestamp: time)
    }
    try await store.libraries.save(replica, changedSince: 0, as: LibraryName(key: [1]), at: start)
    try await store.closeOnNewThread()
    return location
  }

  private func database() async throws -> StoreLocation {
    let address: PostgresAddress = try #require(PostgresAddress(try await PostgresServer.emptyDatabase()))
    return StoreLocation(folder.path("node"), database: address)
  }

  /// All rows of all tables of SQLite.
  private func rows(_ location: StoreLocation) throws -> [String: [Row]] {
    let queue = try DatabaseQueue(path: location.folder.appending(path: "longbox.sqlite").path)
    return try queue.inDatabase { database in
      let names = try String.fetchAll(
        database,
        sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'grdb_migrations'"
      )
      var rows: [String: [Row]] = [:]
      for name in names {
        rows[name] = try Row.fetchAll(database, sql: "SELECT * FROM \(name) ORDER BY 1, 2")
      }
      return rows
    }
  }

  @Test func `comes back as it was, row by row`() async throws {
    let (source, target, back) = (try await full(), try await database(), StoreLocation(folder.path("back")))
    let there = try await Store.copy(from: source, to: target) { _, _ in }
    #expect(there.pictures == 4 && there.rows > 20)
    let returned = try await Store.copy(from: target, to: back) { _, _ in }
    #expect(returned.pictures == 4 && returned.rows == there.rows)
    let (before, after) = (try rows(source), try rows(back))
    #expect(Set(before.keys) == Set(after.keys))
    for (name, rows) in before { #expect(after[name] == rows, "\(name)") }
    let store = try Store.open(back.folder)
    let picture = try #require(try await store.pictures.picture(.standard, of: number(1000)))
    #expect(try await store.pictures.bytes(of: picture) == pictureBytes(1000))
  }

  @Test func `continues in the copy with the next revision and unused ids`() async throws {
    let (source, target) = (try await full(), try await database())
    _ = try await Store.copy(from: source, to: target) { _, _ in }
    let (old, new) = (try Store.open(source.folder), try await Store.open(target))
    #expect(try await new.comics.revision() == old.comics.revision())
    #expect(try await new.explanations.totals() == old.explanations.totals())
    for store in [old, new] { try await store.comics.save([record(1002)]) }
    #expect(try await new.comics.revision() == old.comics.revision())
    var ids: [Int64] = []
    for store in [old, new] {
      ids.append(
        try await store.access.add(.key, CredentialHash(of: [3]), name: "next", at: start).id
      )
    }
    #expect(ids[0] == ids[1])
    let (was, now) = (try await old.subscriptions.all(), try await new.subscriptions.all())
    #expect(was.map(\.endpoint) == now.map(\.endpoint))
    let name = LibraryName(key: [1])
    #expect(try await new.libraries.library(name) == old.libraries.library(name))
    var other = Replica(device: 1)
    try other.library.set(LibraryKey("a"), to: "1", timestamp: other.editTime(at: 1).timestamp)
    try await new.libraries.save(other, changedSince: 0, as: LibraryName(key: [9]), at: start)
  }

  @Test func `can't be opened while it is incomplete, and resumes where it stopped`() async throws {
    let (source, target) = (try await full(), try await database())
    let address = try #require(target.database)
    let total = try await Store.copy(from: source, to: try await database()) { _, _ in }.rows
    try await PostgresEngine.makeTables(address, StorePlace(folder: target.folder))
    let session = try PostgresSession.forCopying(address)
    try session.beginCopy(into: "\(address)")
    let queue = try DatabaseQueue(path: source.folder.appending(path: "longbox.sqlite").path)
    try queue.inDatabase { database in
      for table in CopiedTable.all.prefix(5) {
        try table.insert(table.rows(after: nil, in: database), into: session)
      }
    }
    try queue.close()
    await #expect(throws: StoreError.incompleteCopy(database: "\(address)")) {
      try await Store.open(target)
    }
    let rest = try await Store.copy(from: source, to: target) { _, _ in }
    #expect(rest.rows < total)
    #expect(try await Store.open(target).comics.count() == Store.open(source.folder).comics.count())
  }

  @Test func `begins again if the source has changed since the copy was interrupted`() async throws {
    let (source, target) = (try await full(), try await database())
    _ = try await Store.copy(from: source, to: target) { _, _ in }
    try await PostgresServer.run(
      "UPDATE store SET is_complete = false; UPDATE comic SET etag = 'other' WHERE number = 1000",
      in: try #require(target.database).text
    )
    let again = try await Store.copy(from: source, to: target) { _, _ in }
    #expect(again.pictures == 0 && again.rows > 20)
    #expect(try await Store.open(target).comics.comic(number(1000))?.validator.etag == nil)
  }

  @Test func `replaces no other store, and is not taken from a running server`() async throws {
    let (source, target) = (try await full(), try await database())
    let server = try await Store.open(target)
    try await server.comics.save([record(1)])
    await #expect(throws: StoreError.notEmpty(place: "\(try #require(target.database))")) {
      try await Store.copy(from: source, to: target) { _, _ in }
    }
    await #expect(throws: StoreError.notEmpty(place: source.folder.path)) {
      try await Store.copy(from: target, to: source) { _, _ in }
    }
    let running = try Store.open(source.folder)
    let empty = try await database()
    await #expect(throws: inUse(source.folder)) {
      try await Store.copy(from: source, to: empty) { _, _ in }
    }
    try await running.closeOnNewThread()
  }

  @Test func `has all columns of both engines`() async throws {
    let (source, target) = (try await full(), try await database())
    try await Store.open(target).closeOnNewThread()
    let copied = Set(CopiedTable.all.flatMap { table in table.columns.map { "\(table.name).\($0.name)" } })
    let others = ["counter.name", "counter.value", "subscription.claimed_by", "subscription.claimed_until"]
    let queue = try DatabaseQueue(path: source.folder.appending(path: "longbox.sqlite").path)
    let here = try await queue.read { database in
      let names = try String.fetchAll(
        database,
        sql:
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'grdb%'"
      )
      return try names.flatMap { name in try database.columns(in: name).map { "\(name).\($0.name)" } }
    }
    #expect(Set(here) == copied.union(others))
    let there = try await PostgresServer.run(
      """
      SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public'
        AND table_name NOT IN ('blob', 'code', 'leader', 'migration', 'rate_limit', 'secret', 'store', 'wanted')
      """,
      in: try #require(target.database).text
    )
    #expect(Set(there.split(separator: "\n").map(String.init)) == copied.union(others))
  }
}
