// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore
import Testing
import TestSupport

@testable import LongboxStore

@Suite("An upgrade of the tables") struct UpgradeBackupTests {
  private let folder = TemporaryFolder()

  private var database: URL { folder.path("longbox.sqlite") }
  private var copies: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path("upgrades").path).sorted()) ?? []
  }

  /// All rows of all tables of a database.
  private func rows(_ location: URL) async throws -> [String: [String]] {
    let queue = try DatabaseQueue(path: location.path)
    defer { try? queue.close() }
    return try await queue.read { database in
      let names = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
      return try names.reduce(into: [:]) { rows, name in
        rows[name] = try Row.fetchAll(database, sql: "SELECT * FROM \"\(name)\"").map(\.description)
      }
    }
  }

  @Test func `of a fresh store makes no copy`() async throws {
    let store = try Store.open(folder.url)
    try await store.comics.save([record(1)])
    try await store.closeOnNewThread()
    try await Store.open(folder.url).closeOnNewThread()
    #expect(copies.isEmpty)
  }

  @Test(arguments: Migration.sqlite.migrations.indices.dropFirst())
  func `is undone by the copy that it makes first`(version: Int) async throws {
    try await EarlierStores.lay(version, in: folder.url)
    let before = try await rows(database)
    try await Store.open(folder.url).closeOnNewThread()
    let name = String(format: "schema-%03d.sqlite", version)
    #expect(copies == [name])
    #expect(try folder.permissions("upgrades/\(name)") == 0o600)
    #expect(try folder.permissions("upgrades") == 0o700)
    let copy = folder.path("upgrades/\(name)")
    #expect(Store.isDatabaseCopy(copy))
    #expect(try await rows(copy) == before)

    let old = try #require(try Store.restoreDatabase(copy, to: folder.url))
    #expect(old.lastPathComponent == "longbox.sqlite.before-restore")
    #expect(try folder.permissions("longbox.sqlite") == 0o600)
    #expect(try await rows(database) == before)
    #expect(throws: StoreError.olderVersion(file: database.path)) { try Store.openReading(folder.url) }
    let upgraded = try Store.open(folder.url)
    #expect(try await upgraded.audit().databaseFaults.isEmpty)
    #expect(try await upgraded.comics.count() > 0)
  }

  @Test func `keeps the last two copies`() async throws {
    for version in [3, 7, 15] {
      try await EarlierStores.lay(version, in: folder.url)
      try await Store.open(folder.url).closeOnNewThread()
    }
    #expect(copies == ["schema-007.sqlite", "schema-015.sqlite"])
  }

  /// The first copy is the one that a version before the upgrade can use.
  @Test func `that was interrupted keeps its first copy`() async throws {
    try await EarlierStores.lay(5, in: folder.url)
    let before = try await rows(database)
    try await Store.open(folder.url).closeOnNewThread()
    try await EarlierStores.lay(12, in: folder.url)
    let upgrading = folder.path("upgrades/schema-005.upgrading")
    try FileManager.default.moveItem(at: folder.path("upgrades/schema-005.sqlite"), to: upgrading)
    try await Store.open(folder.url).closeOnNewThread()
    #expect(copies == ["schema-005.sqlite"])
    #expect(try await rows(folder.path("upgrades/schema-005.sqlite")) == before)
  }

  @Test func `that ended before its copy had its name gets it at the next start`() async throws {
    try await EarlierStores.lay(5, in: folder.url)
    try await Store.open(folder.url).closeOnNewThread()
    let upgrading = folder.path("upgrades/schema-005.upgrading")
    try FileManager.default.moveItem(at: folder.path("upgrades/schema-005.sqlite"), to: upgrading)
    try await Store.open(folder.url).closeOnNewThread()
    #expect(copies == ["schema-005.sqlite"])
  }

  @Test func `doesn't begin without room for the copy`() async throws {
    try await EarlierStores.lay(15, in: folder.url)
    let before = try await rows(database)
    try folder.write([1], to: "upgrades")
    #expect(throws: StoreError.self) { try Store.open(folder.url) }
    #expect(try await rows(database) == before)
  }

  @Test func `of a store from the future is refused, and changes nothing`() async throws {
    let store = try Store.open(folder.url)
    try await store.comics.save([record(1)])
    try await store.closeOnNewThread()
    let queue = try DatabaseQueue(path: database.path)
    try await queue.write { database in
      try database.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('999 from the future')")
    }
    try queue.close()
    let bytes = try Data(contentsOf: database)
    #expect(throws: StoreError.newerVersion(file: database.path)) { try Store.open(folder.url) }
    #expect(throws: StoreError.newerVersion(file: database.path)) { try Store.openReading(folder.url) }
    #expect(try Data(contentsOf: database) == bytes)
    #expect(copies.isEmpty)
    #expect("\(StoreError.newerVersion(file: "x"))".contains("upgrades"))
  }

  @Test func `is not undone by a damaged or newer copy, or beside a server`() async throws {
    try await EarlierStores.lay(15, in: folder.url)
    let store = try Store.open(folder.url)
    let copy = folder.path("upgrades/schema-015.sqlite")
    #expect(throws: inUse(folder.url)) {
      try Store.restoreDatabase(copy, to: folder.url)
    }
    try await store.closeOnNewThread()
    let current = try await rows(database)

    var bytes = try Data(contentsOf: copy)
    for index in 4096..<8192 { bytes[index] = 0x5A }
    try bytes.write(to: folder.path("damaged"))
    #expect(throws: StoreError.self) { try Store.restoreDatabase(folder.path("damaged"), to: folder.url) }

    let queue = try DatabaseQueue(path: copy.path)
    try await queue.write { database in
      try database.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('999 from the future')")
    }
    try queue.close()
    #expect(throws: StoreError.newerVersion(file: copy.path)) {
      try Store.restoreDatabase(copy, to: folder.url)
    }
    #expect(try await rows(database) == current)
    #expect(!Store.isDatabaseCopy(folder.path("absent")))
  }
}
