// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore
import Testing
import TestSupport

@testable import LongboxStore

@Suite struct `A store of an earlier version` {
  private typealias Tables = [String: [[String: DatabaseValue]]]

  private static let stores = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Stores")
  private static let (full, small, damaged) = (name(0x0A), name(0x0B), name(0x0C))
  private static let aliases = [name(0x0D), name(0x0E)]

  private let folder = TemporaryFolder()

  private static func name(_ byte: UInt8) -> LibraryName {
    LibraryName(bytes: [UInt8](repeating: byte, count: 32))
  }

  /// Creates the data folder that a version would have left.
  private func lay(_ version: Int) async throws -> Tables {
    let dump = Self.stores.appending(path: String(format: "%03d.sql", version))
    let sql = try String(contentsOf: dump, encoding: .utf8)
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let database = try DatabaseQueue(path: folder.path("longbox.sqlite").path, configuration: configuration)
    try await database.writeWithoutTransaction { try $0.execute(sql: sql) }
    let tables = try await database.read { try Self.tables($0) }
    try database.close()
    return tables
  }

  /// All rows of all tables except those that a migration rebuilds.
  private static func tables(_ database: Database) throws -> Tables {
    let names = try String.fetchAll(
      database,
      sql: """
        SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'grdb%' AND name NOT LIKE 'sqlite%'
          AND name <> 'library'
        """
    )
    var tables: Tables = [:]
    for name in names {
      tables[name] = try Row.fetchAll(database, sql: "SELECT * FROM \(name)").map { row in
        Dictionary(uniqueKeysWithValues: row.map { ($0, $1) })
      }
    }
    return tables
  }

  private func replica(_ store: Store, _ name: LibraryName) async throws -> Replica {
    guard case .library(let replica) = try await store.libraries.library(name) else {
      throw StoreError.nothingStored(folder: "the library")
    }
    return replica
  }

  /// The name that migration 018 gives to a table or column.
  private static func nameNow(_ name: String) -> String {
    switch name {
    case "fetch": "comic_fetch"
    case "timestamp": "written_at"
    default: name.replacing(/[A-Z]/) { "_\($0.output.lowercased())" }
    }
  }

  /// Columns that a later migration removes.
  private static let removed: Set = ["albumArticle.pick"]

  /// The versions with a dump.
  private static let versions =
    (try? FileManager.default.contentsOfDirectory(atPath: stores.path))?
    .filter { $0.hasSuffix(".sql") }.compactMap { Int($0.prefix(3)) }.sorted() ?? []

  @Test func `is checked in for each version before this one`() {
    let earlier = Array(Migration.sqlite.migrations.indices.dropFirst())
    #expect(!earlier.isEmpty)
    #expect(Set(earlier).isSubset(of: Self.versions))
  }

  @Test(arguments: versions) func `opens, and keeps every row and every library`(version: Int) async throws {
    let before = try await lay(version)
    let store = try Store.open(folder.url)
    let after = try await store.sqlite.readDatabase { try Self.tables($0) }
    for (table, rows) in before {
      let kept = try #require(after[Self.nameNow(table)], "the table \(table) is gone")
      try #require(kept.count == rows.count, "the table \(table)")
      for (old, new) in zip(rows, kept) {
        for (column, value) in old where !Self.removed.contains("\(table).\(column)") {
          #expect(new[Self.nameNow(column)] == value, "the column \(table).\(column)")
        }
      }
    }
    #expect(before.values.allSatisfy { !$0.isEmpty }, "each table has rows to lose")
    #expect(try await store.audit().databaseFaults.isEmpty)
    guard version >= 5 else {
      #expect(try await store.usage().libraries == 0)
      return
    }
    try await checkLibraries(store)
    if version >= 6 {
      for alias in Self.aliases {
        #expect(try await store.libraries.library(alias) == .paired(with: Self.full))
        #expect(try await store.libraries.home(of: alias) == Self.full)
      }
    }
    if version >= 10 {
      #expect(try await store.feeds.favoritesFeeds(of: Self.full).map(\.token) == ["abcdefghijklmnopqrstuv"])
    }
    try await store.closeOnNewThread()
    let again = try Store.open(folder.url)
    try await checkLibraries(again)
  }

  private func checkLibraries(_ store: Store) async throws {
    #expect(try await store.usage().libraries == 2)
    let full = try await replica(store, Self.full)
    #expect(full.clock.device == 0xA1B2_C3D4_E5F6_0718)
    #expect(full.library.sequence == 12)
    let registers = full.library.registers(writtenAfter: nil).map { register in
      let entry = register.entry
      let value = entry.value.map { $0.bytes.map { String(format: "%02X", $0) }.joined() } ?? "-"
      let timestamp = entry.timestamp
      return
        "\(entry.key.text) \(value) \(timestamp.time) \(timestamp.counter) \(timestamp.device) \(register.sequence)"
    }
    #expect(registers == Self.registers)
    let library = full.library
    #expect(library.favorites.map(\.comic.value) == [353])
    #expect(library.favorites.first?.note == "I learned it last night!")
    #expect(Comic.Number(42).map { library.readMarks.isRead($0) } == false)
    #expect(Comic.Number(43).map { library.readMarks.isRead($0) } == true)
    #expect(library.place?.comic == Comic.Number(353))
    #expect(library.value(of: .appearance) == .dark)
    #expect(library.savedAlbums.map(\.name) == ["DAMN."])
    #expect(library.places(under: "saved/quiz/").count == 1)
    let small = try await replica(store, Self.small)
    #expect(small.clock.device == 77)
    #expect(small.library.favorites.map(\.comic.value) == [1])
  }

  /// A damaged block of bytes stops no other library, and is kept.
  @Test(arguments: 5...12) func `keeps an unreadable library aside`(version: Int) async throws {
    _ = try await lay(version)
    let block = try await content(of: "library")
    let store = try Store.open(folder.url)
    #expect(try await store.libraries.library(Self.damaged) == .none)
    let kept = try await content(of: "unreadable_library")
    #expect(block != nil && kept == block)
    // Its reader starts a new library, and the block kept aside stays.
    var replica = Replica(device: 5)
    try replica.library.addFavorite(.first, at: replica.editTime(at: 1_000))
    let date = Date(timeIntervalSince1970: 1_800_000_000)
    try await store.libraries.save(replica, changedSince: 0, as: Self.damaged, at: date)
    #expect(try await store.libraries.library(Self.damaged) == .library(replica))
    #expect(try await content(of: "unreadable_library") == block)
  }

  private func content(of table: String) async throws -> Data? {
    let database = try DatabaseQueue(path: folder.path("longbox.sqlite").path)
    defer { try? database.close() }
    return try await database.read { database in
      let sql = "SELECT content FROM \(table) WHERE name = ?"
      return try Data.fetchOne(database, sql: sql, arguments: [Data(Self.damaged.bytes)])
    }
  }

  private static let registers = [
    "favorite/comic/1053 - 1800000003000 0 11651590505119483672 4",
    "favorite/comic/353 01E8A7F1C2B13449206C6561726E6564206974206C617374206E6967687421 1800000002000 0 11651590505119483672 2",
    "local/setting/keepComics 6F6666 1800000008000 0 11651590505119483672 9",
    "newer/thing  1800000009000 3 11651590505119483672 12",
    "place E102F0CEF1C2B134 1800000006000 0 11651590505119483672 7",
    "read/comic/42 00 1800000005000 0 11651590505119483672 6",
    "read/upto/100 01 1800000004000 0 11651590505119483672 5",
    "saved/album/1440857781 017573E10F0544414D4E2E4B656E647269636B204C616D6172 1800000009000 0 11651590505119483672 10",
    "saved/quiz/tracks/1440857781/a1b2c3d4e5f60718 0103000001020304050607080000 1800000009000 1 11651590505119483672 11",
    "setting/appearance 6461726B 1800000007000 0 11651590505119483672 8",
  ]
}
