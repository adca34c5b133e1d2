// Longbox
// SPDX-License-Identifier: MIT

import GRDB

/// The database's tables, as a list of migrations.
///
/// A shipped migration is frozen; changes are new ones at the end. Times are whole seconds since 1970 UTC.
enum Schema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("001 comics as xkcd sent them", migrate: createComics)
    migrator.registerMigration("002 pictures and what is known of them", migrate: createPictures)
    migrator.registerMigration("003 how each fetch went", migrate: createFetches)
    migrator.registerMigration("004 the check for a new comic", migrate: createNewestCheck)
    migrator.registerMigration("005 what readers did", migrate: createLibraries)
    migrator.registerMigration("006 libraries that were joined", migrate: addJoinedLibraries)
    migrator.registerMigration("007 what explain xkcd says", migrate: createExplanations)
    migrator.registerMigration("008 albums, their articles and covers", migrate: AlbumSchema.create)
    migrator.registerMigration("009 who wants to hear of new comics", migrate: createSubscriptions)
    migrator.registerMigration("010 what feeds tell", migrate: createFeeds)
    migrator.registerMigration("011 how many comics in a row a browser was not told of", migrate: addGivenUp)
    migrator.registerMigration("012 how old covers are", migrate: AlbumSchema.addAges)
    migrator.registerMigration(
      "013 registers of libraries as rows",
      migrate: LibrarySchema.storeRegistersAsRows
    )
    migrator.registerMigration("014 how libraries are used", migrate: SQLiteLibraryUsage.addColumns)
    migrator.registerMigration("015 who may come in", migrate: AccessSchema.create)
    migrator.registerMigration("016 no article for all readers", migrate: AlbumSchema.removePicks)
    migrator.registerMigration("017 larger versions of pictures, and hooks") { database in
      try addLargerVersions(database)
      try SQLiteHookTable.create(database)
    }
    return migrator
  }

  /// `raw` is what xkcd sent; nothing decoded is stored, so better rules need no migration.
  private static func createComics(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE comic (
          number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
          raw BLOB NOT NULL CHECK (length(raw) BETWEEN 1 AND 1048576),
          etag TEXT,
          lastModified TEXT,
          fetchedAt INTEGER NOT NULL,
          revision INTEGER NOT NULL CHECK (revision > 0)
        ) STRICT;
        CREATE INDEX comicByRevision ON comic (revision);
        """
    )
  }

  /// `picture` outlives the files, so a page can be laid out while its picture is fetched again.
  private static func createPictures(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE picture (
          number INTEGER PRIMARY KEY REFERENCES comic (number),
          width INTEGER NOT NULL CHECK (width > 0),
          height INTEGER NOT NULL CHECK (height > 0),
          byteCount INTEGER NOT NULL CHECK (byteCount > 0),
          frames INTEGER NOT NULL CHECK (frames > 0),
          format INTEGER NOT NULL,
          isTransparent INTEGER NOT NULL CHECK (isTransparent IN (0, 1)),
          colourPermille INTEGER NOT NULL CHECK (colourPermille BETWEEN 0 AND 1000),
          lightness INTEGER NOT NULL CHECK (lightness BETWEEN 0 AND 255),
          doubleSize INTEGER NOT NULL,
          version INTEGER NOT NULL CHECK (version BETWEEN 0 AND 4294967295),
          rulesVersion INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE pictureFile (
          number INTEGER NOT NULL REFERENCES picture (number),
          kind TEXT NOT NULL CHECK (kind IN ('standard', 'doubleSize', 'thumbnail')),
          name TEXT NOT NULL,
          byteCount INTEGER NOT NULL CHECK (byteCount > 0),
          PRIMARY KEY (number, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX pictureFileByName ON pictureFile (name);
        """
    )
  }

  /// No row means never tried.
  ///
  /// `nextTry` NULL means no automatic retry.
  private static func createFetches(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE fetch (
          number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
          thing TEXT NOT NULL CHECK (thing IN ('record', 'picture', 'doubleSize')),
          state TEXT NOT NULL CHECK (state IN ('fetched', 'absent', 'failed')),
          reason TEXT,
          attempts INTEGER NOT NULL CHECK (attempts >= 0),
          nextTry INTEGER,
          PRIMARY KEY (thing, number)
        ) STRICT, WITHOUT ROWID;
        """
    )
  }

  /// Two lists of allowed words get one more, for which SQLite needs new tables.
  private static func addLargerVersions(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE picture ADD COLUMN larger INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE pictureFile RENAME TO pictureFileBefore;
        DROP INDEX pictureFileByName;
        CREATE TABLE pictureFile (
          number INTEGER NOT NULL REFERENCES picture (number),
          kind TEXT NOT NULL CHECK (kind IN ('standard', 'doubleSize', 'thumbnail', 'larger')),
          name TEXT NOT NULL,
          byteCount INTEGER NOT NULL CHECK (byteCount > 0),
          PRIMARY KEY (number, kind)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO pictureFile SELECT number, kind, name, byteCount FROM pictureFileBefore;
        DROP TABLE pictureFileBefore;
        CREATE INDEX pictureFileByName ON pictureFile (name);
        ALTER TABLE fetch RENAME TO fetchBefore;
        CREATE TABLE fetch (
          number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
          thing TEXT NOT NULL CHECK (thing IN ('record', 'picture', 'doubleSize', 'larger')),
          state TEXT NOT NULL CHECK (state IN ('fetched', 'absent', 'failed')),
          reason TEXT,
          attempts INTEGER NOT NULL CHECK (attempts >= 0),
          nextTry INTEGER,
          PRIMARY KEY (thing, number)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO fetch SELECT number, thing, state, reason, attempts, nextTry FROM fetchBefore;
        DROP TABLE fetchBefore;
        """
    )
  }

  private static func createNewestCheck(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE newestCheck (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          newest INTEGER CHECK (newest BETWEEN 1 AND 999999 AND newest <> 404),
          etag TEXT,
          lastModified TEXT,
          checkedAt INTEGER NOT NULL,
          succeededAt INTEGER,
          failure TEXT
        ) STRICT;
        """
    )
  }

  /// `name` is a hash of the key in the reader's cookie; `content` is the encoded library.
  private static func createLibraries(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE library (
          name BLOB PRIMARY KEY CHECK (length(name) = 32),
          content BLOB NOT NULL CHECK (length(content) <= 16777216),
          changedAt INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
    )
  }

  /// A library that was paired with another is empty and names it, so that the old key still finds it.
  private static func addJoinedLibraries(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE library ADD COLUMN joinedTo BLOB REFERENCES library (name)
          CHECK (joinedTo IS NULL OR (joinedTo <> name AND length(content) = 0));
        CREATE INDEX libraryByJoined ON library (joinedTo) WHERE joinedTo IS NOT NULL;
        """
    )
  }

  /// `wikitext` is the source of truth, like a comic's `raw`, and stays when a later request finds no page.
  ///
  /// No row means never asked. `lookAgain` NULL means no automatic request.
  private static func createExplanations(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE explanation (
          number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
          outcome TEXT NOT NULL CHECK (outcome IN ('page', 'missing', 'tooLong', 'failed')),
          pageRevision INTEGER,
          timestamp TEXT,
          wikitext BLOB CHECK (length(wikitext) <= 16777216),
          fetchedAt INTEGER NOT NULL,
          lookAgain INTEGER,
          change INTEGER NOT NULL UNIQUE CHECK (change > 0),
          CHECK ((wikitext IS NULL) = (pageRevision IS NULL) AND (wikitext IS NULL) = (timestamp IS NULL)),
          CHECK (outcome <> 'page' OR wikitext IS NOT NULL)
        ) STRICT;
        CREATE INDEX explanationByLook ON explanation (lookAgain);
        """
    )
  }

  /// `announced`: the last comic that the browser was notified of or skips; NULL until a comic is known.
  ///
  /// `claimed`: the comic of a message that is being sent. Non-null after a crash means: delivery status
  /// unknown. `attempts` counts the tries of that message.
  private static func createSubscriptions(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE subscription (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          endpoint TEXT NOT NULL UNIQUE CHECK (length(endpoint) BETWEEN 1 AND 2048),
          service TEXT NOT NULL,
          publicKey BLOB NOT NULL CHECK (length(publicKey) = 65),
          secret BLOB NOT NULL CHECK (length(secret) = 16),
          library BLOB CHECK (length(library) = 32),
          hidesSpoilers INTEGER NOT NULL CHECK (hidesSpoilers IN (0, 1)),
          quietFrom INTEGER CHECK (quietFrom BETWEEN 0 AND 1439),
          quietUntil INTEGER CHECK (quietUntil BETWEEN 0 AND 1439),
          timeZone TEXT NOT NULL CHECK (length(timeZone) BETWEEN 1 AND 64),
          createdAt INTEGER NOT NULL,
          announced INTEGER CHECK (announced BETWEEN 0 AND 999999),
          claimed INTEGER CHECK (claimed > announced),
          attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
          nextTry INTEGER,
          failure TEXT,
          failedAt INTEGER,
          CHECK ((quietFrom IS NULL) = (quietUntil IS NULL))
        ) STRICT;
        CREATE INDEX subscriptionByService ON subscription (service, announced);
        """
    )
  }

  /// `comicChange` has only comics that looked different before.
  ///
  /// `token` is the secret part of a feed's address. It is stored in plain text, because readers must be able
  /// to see it again. It opens their favorites and nothing else.
  private static func createFeeds(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE comicChange (
          number INTEGER PRIMARY KEY REFERENCES comic (number),
          changedAt INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE favoritesFeed (
          token TEXT PRIMARY KEY CHECK (length(token) BETWEEN 16 AND 64),
          library BLOB NOT NULL CHECK (length(library) = 32),
          createdAt INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX favoritesFeedByLibrary ON favoritesFeed (library);
        """
    )
  }

  private static func addGivenUp(_ database: Database) throws {
    try database.execute(
      sql: "ALTER TABLE subscription ADD COLUMN givenUp INTEGER NOT NULL DEFAULT 0 CHECK (givenUp >= 0)"
    )
  }
}
