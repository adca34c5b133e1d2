// Longbox
// SPDX-License-Identifier: MIT

import GRDB

/// A change of the tables, which runs in one transaction.
///
/// A shipped migration is frozen; changes are new migrations at the end. Times are whole seconds since 1970 UTC unless
/// a table's comment says otherwise.
///
/// Nodes of the previous version must work on PostgreSQL's new tables, so there a migration only adds. A column that is no
/// longer used is removed one version later.
struct Migration: Sendable {
  /// The name by which a database knows that it has had it.
  let name: String
  /// The texts for SQLite; nil if it concerns PostgreSQL only.
  private let sqlite: [String]?
  /// What SQLite's texts can't do, before them.
  private var conversion: (@Sendable (Database) throws -> Void)?
  /// The texts for PostgreSQL; nil if it concerns SQLite only.
  let postgres: [String]?

  /// The migrations of both databases, in the order in which each applies its own.
  ///
  /// Until SQLite's tables had the names of PostgreSQL's, each database had its own. A further one is for both, with two
  /// texts only where types differ.
  static let all = [
    Migration("001 comics as xkcd sent them", sqlite: [SQLiteSchema.comics]),
    Migration("002 pictures and what is known of them", sqlite: [SQLiteSchema.pictures]),
    Migration("003 how each fetch went", sqlite: [SQLiteSchema.fetches]),
    Migration("004 the check for a new comic", sqlite: [SQLiteSchema.newestCheck]),
    Migration("005 what readers did", sqlite: [SQLiteSchema.libraries]),
    Migration("006 libraries that were joined", sqlite: [SQLiteSchema.joinedLibraries]),
    Migration("007 what explain xkcd says", sqlite: [SQLiteSchema.explanations]),
    Migration("008 albums, their articles and covers", sqlite: [SQLiteSchema.albums]),
    Migration("009 who wants to hear of new comics", sqlite: [SQLiteSchema.subscriptions]),
    Migration("010 what feeds tell", sqlite: [SQLiteSchema.feeds]),
    Migration("011 how many comics in a row a browser was not told of", sqlite: [SQLiteSchema.givenUp]),
    Migration("012 how old covers are", sqlite: [SQLiteSchema.albumAges]),
    Migration("013 registers of libraries as rows", sqlite: [], SQLiteSchema.storeRegistersAsRows),
    Migration("014 how libraries are used", sqlite: [SQLiteSchema.libraryUsage]),
    Migration("015 who may come in", sqlite: [SQLiteSchema.access]),
    Migration("016 no article for all readers", sqlite: [SQLiteSchema.noAlbumPicks]),
    Migration(
      "017 larger versions of pictures, and hooks",
      sqlite: [SQLiteSchema.largerVersions, SQLiteSchema.hooks]
    ),
    Migration(
      "018 the names that PostgreSQL has",
      sqlite: [SQLiteSchema.otherNamesCountersAndClaims],
      SQLiteSchema.takeNamesOfPostgres
    ),
    Migration("001 everything", postgres: PostgresSchema.first),
    Migration("002 a leader of several nodes", postgres: [PostgresSchema.leader]),
    Migration("003 codes, limits and secrets of all nodes", postgres: [PostgresSchema.codesAndLimits]),
    Migration("004 larger versions of pictures", postgres: [PostgresSchema.largerVersions]),
    Migration("005 what was announced to hooks", postgres: [PostgresSchema.hooks]),
  ]

  private init(
    _ name: String,
    sqlite: [String]? = nil,
    _ conversion: (@Sendable (Database) throws -> Void)? = nil,
    postgres: [String]? = nil
  ) {
    self.name = name
    self.sqlite = sqlite
    self.conversion = conversion
    self.postgres = postgres
  }

  /// Applies SQLite's migrations.
  static var sqlite: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for migration in all {
      guard let texts = migration.sqlite else { continue }
      migrator.registerMigration(migration.name) { database in
        try migration.conversion?(database)
        for sql in texts { try database.execute(sql: sql) }
      }
    }
    return migrator
  }
}
