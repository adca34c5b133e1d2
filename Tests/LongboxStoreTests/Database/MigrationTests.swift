// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore
import TestSupport
import Testing

@testable import LongboxStore

@Suite("A store of an earlier version") struct MigrationTests {
  private typealias Tables = [String: [[String: DatabaseValue]]]

  private static let (full, small, damaged) = (name(0x0A), name(0x0B), name(0x0C))
  private static let aliases = [name(0x0D), name(0x0E)]

  private let folder = TemporaryFolder()

  private static func name(_ byte: UInt8) -> LibraryName {
    LibraryName(bytes: [UInt8](repeating: byte, count: 32))
  }

  /// Creates the data folder that a version would have left; returns its rows.
  private func lay(_ version: Int) async throws -> Tables {
    try await EarlierStores.lay(version, in: folder.url)
    let database = try DatabaseQueue(path: folder.path("longbox.sqlite").path)
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

  @Test func `is checked in for each version before this one`() {
    let earlier = Array(Migration.sqlite.migrations.indices.dropFirst())
    #expect(!earlier.isEmpty)
    #expect(Set(earlier).isSubset(of: EarlierStores.versions))
  }

  @Test(arguments: EarlierStores.versions) func `opens, and keeps every row and every library`(version: Int)
    async throws
  {
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

@Suite("The tables") struct SchemaTests {
  /// Released migrations are frozen, because databases have applied them; a new one adds to this text.
  @Test func `stay those that the migrations have always created`() async throws {
    let database = try DatabaseQueue()
    try Migration.sqlite.migrate(database)
    let (names, tables) = try await database.read { database in
      (
        try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid"),
        try String.fetchAll(
          database,
          sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'grdb%' ORDER BY rowid"
        )
      )
    }
    #expect(
      names == [
        "001 comics as xkcd sent them", "002 pictures and what is known of them", "003 how each fetch went",
        "004 the check for a new comic", "005 what readers did",
        "006 libraries that were joined", "007 what explain xkcd says",
        "008 albums, their articles and covers",
        "009 who wants to hear of new comics",
        "010 what feeds tell",
        "011 how many comics in a row a browser was not told of",
        "012 how old covers are",
        "013 registers of libraries as rows",
        "014 how libraries are used",
        "015 who may come in",
        "016 no article for all readers",
        "017 larger versions of pictures, and hooks",
        "018 the names that PostgreSQL has",
      ]
    )
    #expect(tables.joined(separator: ";\n") == Self.frozen)
  }

  private static let frozen = """
    CREATE TABLE comic (
      number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
      raw BLOB NOT NULL CHECK (length(raw) BETWEEN 1 AND 1048576),
      etag TEXT,
      last_modified TEXT,
      fetched_at INTEGER NOT NULL,
      revision INTEGER NOT NULL CHECK (revision > 0)
    ) STRICT;
    CREATE INDEX comic_by_revision ON comic (revision);
    CREATE TABLE picture (
      number INTEGER PRIMARY KEY REFERENCES comic (number),
      width INTEGER NOT NULL CHECK (width > 0),
      height INTEGER NOT NULL CHECK (height > 0),
      byte_count INTEGER NOT NULL CHECK (byte_count > 0),
      frames INTEGER NOT NULL CHECK (frames > 0),
      format INTEGER NOT NULL,
      is_transparent INTEGER NOT NULL CHECK (is_transparent IN (0, 1)),
      colour_permille INTEGER NOT NULL CHECK (colour_permille BETWEEN 0 AND 1000),
      lightness INTEGER NOT NULL CHECK (lightness BETWEEN 0 AND 255),
      double_size INTEGER NOT NULL,
      version INTEGER NOT NULL CHECK (version BETWEEN 0 AND 4294967295),
      rules_version INTEGER NOT NULL
    , larger INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE newest_check (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      newest INTEGER CHECK (newest BETWEEN 1 AND 999999 AND newest <> 404),
      etag TEXT,
      last_modified TEXT,
      checked_at INTEGER NOT NULL,
      succeeded_at INTEGER,
      failure TEXT
    ) STRICT;
    CREATE TABLE explanation (
      number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
      outcome TEXT NOT NULL CHECK (outcome IN ('page', 'missing', 'tooLong', 'failed')),
      page_revision INTEGER,
      written_at TEXT,
      wikitext BLOB CHECK (length(wikitext) <= 16777216),
      fetched_at INTEGER NOT NULL,
      look_again INTEGER,
      change INTEGER NOT NULL UNIQUE CHECK (change > 0),
      CHECK ((wikitext IS NULL) = (page_revision IS NULL) AND (wikitext IS NULL) = (written_at IS NULL)),
      CHECK (outcome <> 'page' OR wikitext IS NOT NULL)
    ) STRICT;
    CREATE INDEX explanation_by_look ON explanation (look_again);
    CREATE TABLE album_answer (
      question TEXT PRIMARY KEY CHECK (length(question) BETWEEN 3 AND 400),
      kind TEXT NOT NULL CHECK (kind IN ('artists', 'albums', 'tracks')),
      body BLOB NOT NULL CHECK (length(body) BETWEEN 1 AND 8388608),
      fetched_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX album_answer_by_age ON album_answer (kind, fetched_at);
    CREATE TABLE album_article (
      album INTEGER NOT NULL CHECK (album > 0),
      language TEXT NOT NULL,
      body BLOB NOT NULL CHECK (length(body) BETWEEN 1 AND 8388608),
      fetched_at INTEGER NOT NULL,
      PRIMARY KEY (album, language)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE artwork_address (
      album INTEGER PRIMARY KEY CHECK (album > 0),
      address TEXT NOT NULL
    , heard_at INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE artwork_file (
      album INTEGER NOT NULL REFERENCES artwork_address (album),
      size TEXT NOT NULL CHECK (size IN ('cover', 'small')),
      address TEXT NOT NULL,
      name TEXT NOT NULL,
      byte_count INTEGER NOT NULL CHECK (byte_count > 0), fetched_at INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (album, size)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX artwork_file_by_name ON artwork_file (name);
    CREATE TABLE subscription (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      endpoint TEXT NOT NULL UNIQUE CHECK (length(endpoint) BETWEEN 1 AND 2048),
      service TEXT NOT NULL,
      public_key BLOB NOT NULL CHECK (length(public_key) = 65),
      secret BLOB NOT NULL CHECK (length(secret) = 16),
      library BLOB CHECK (length(library) = 32),
      hides_spoilers INTEGER NOT NULL CHECK (hides_spoilers IN (0, 1)),
      quiet_from INTEGER CHECK (quiet_from BETWEEN 0 AND 1439),
      quiet_until INTEGER CHECK (quiet_until BETWEEN 0 AND 1439),
      time_zone TEXT NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 64),
      created_at INTEGER NOT NULL,
      announced INTEGER CHECK (announced BETWEEN 0 AND 999999),
      claimed INTEGER CHECK (claimed > announced),
      attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
      next_try INTEGER,
      failure TEXT,
      failed_at INTEGER, given_up INTEGER NOT NULL DEFAULT 0 CHECK (given_up >= 0), has_received INTEGER NOT NULL DEFAULT 1 CHECK (has_received IN (0, 1)), claimed_by TEXT, claimed_until INTEGER,
      CHECK ((quiet_from IS NULL) = (quiet_until IS NULL))
    ) STRICT;
    CREATE TABLE sqlite_sequence(name,seq);
    CREATE INDEX subscription_by_service ON subscription (service, announced);
    CREATE TABLE comic_change (
      number INTEGER PRIMARY KEY REFERENCES comic (number),
      changed_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE favorites_feed (
      token TEXT PRIMARY KEY CHECK (length(token) BETWEEN 16 AND 64),
      library BLOB NOT NULL CHECK (length(library) = 32),
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX favorites_feed_by_library ON favorites_feed (library);
    CREATE INDEX artwork_file_by_age ON artwork_file (fetched_at);
    CREATE INDEX artwork_address_by_age ON artwork_address (heard_at);
    CREATE TABLE library (
      id INTEGER PRIMARY KEY,
      name BLOB NOT NULL UNIQUE CHECK (length(name) = 32),
      device INTEGER NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      changed_at INTEGER NOT NULL
    , created_on INTEGER NOT NULL DEFAULT 0, is_established INTEGER NOT NULL DEFAULT 1 CHECK (is_established IN (0, 1)), idle_days INTEGER NOT NULL DEFAULT 0 CHECK (idle_days >= 0), byte_count INTEGER NOT NULL DEFAULT 0 CHECK (byte_count >= 0)) STRICT;
    CREATE TABLE library_register (
      library INTEGER NOT NULL REFERENCES library (id) ON DELETE CASCADE,
      key BLOB NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
      value BLOB CHECK (length(value) <= 4096),
      time INTEGER NOT NULL CHECK (time BETWEEN 0 AND 281474976710655),
      counter INTEGER NOT NULL CHECK (counter BETWEEN 0 AND 4294967295),
      device INTEGER NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      PRIMARY KEY (library, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE library_alias (
      name BLOB PRIMARY KEY CHECK (length(name) = 32),
      home BLOB NOT NULL CHECK (length(home) = 32 AND home <> name),
      paired_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX library_alias_by_home ON library_alias (home);
    CREATE TABLE unreadable_library (
      name BLOB PRIMARY KEY CHECK (length(name) = 32),
      content BLOB NOT NULL,
      reason TEXT NOT NULL,
      changed_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE library_expiry (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      day INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE access_passphrase (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      hash TEXT NOT NULL CHECK (length(hash) BETWEEN 1 AND 400),
      changed_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE credential (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('session', 'key')),
      hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
      owner INTEGER NOT NULL DEFAULT 1,
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      created_at INTEGER NOT NULL,
      renewed_at INTEGER NOT NULL,
      seen_at INTEGER
    ) STRICT;
    CREATE INDEX album_article_by_age ON album_article (fetched_at);
    CREATE TABLE picture_file (
      number INTEGER NOT NULL REFERENCES picture (number),
      kind TEXT NOT NULL CHECK (kind IN ('standard', 'doubleSize', 'thumbnail', 'larger')),
      name TEXT NOT NULL,
      byte_count INTEGER NOT NULL CHECK (byte_count > 0),
      PRIMARY KEY (number, kind)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX picture_file_by_name ON picture_file (name);
    CREATE TABLE "comic_fetch" (
      number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
      thing TEXT NOT NULL CHECK (thing IN ('record', 'picture', 'doubleSize', 'larger')),
      state TEXT NOT NULL CHECK (state IN ('fetched', 'absent', 'failed')),
      reason TEXT,
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      next_try INTEGER,
      PRIMARY KEY (thing, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE hook_delivery (
      hook BLOB NOT NULL CHECK (length(hook) = 32),
      comic INTEGER NOT NULL CHECK (comic BETWEEN 1 AND 999999 AND comic <> 404),
      state TEXT NOT NULL CHECK (state IN ('due', 'delivered', 'failed', 'skipped')),
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      since INTEGER NOT NULL,
      next_try INTEGER,
      failure TEXT,
      changed_at INTEGER NOT NULL,
      PRIMARY KEY (hook, comic),
      CHECK ((state = 'due') = (next_try IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX subscription_by_library ON subscription (library);
    CREATE TABLE counter (
      name TEXT PRIMARY KEY,
      value INTEGER NOT NULL CHECK (value >= 0)
    ) STRICT, WITHOUT ROWID
    """
}
