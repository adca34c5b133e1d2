// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import Testing

@testable import LongboxStore

@Suite struct `The tables` {
  /// Released migrations are frozen, because databases have applied them; a new one adds to this text.
  @Test func `stay those that the migrations have always created`() async throws {
    let database = try DatabaseQueue()
    try Schema.migrator.migrate(database)
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
      ]
    )
    #expect(tables.joined(separator: ";\n") == Self.frozen)
  }

  private static let frozen = """
    CREATE TABLE comic (
      number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
      raw BLOB NOT NULL CHECK (length(raw) BETWEEN 1 AND 1048576),
      etag TEXT,
      lastModified TEXT,
      fetchedAt INTEGER NOT NULL,
      revision INTEGER NOT NULL CHECK (revision > 0)
    ) STRICT;
    CREATE INDEX comicByRevision ON comic (revision);
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
    , larger INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE newestCheck (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      newest INTEGER CHECK (newest BETWEEN 1 AND 999999 AND newest <> 404),
      etag TEXT,
      lastModified TEXT,
      checkedAt INTEGER NOT NULL,
      succeededAt INTEGER,
      failure TEXT
    ) STRICT;
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
    CREATE TABLE albumAnswer (
      question TEXT PRIMARY KEY CHECK (length(question) BETWEEN 3 AND 400),
      kind TEXT NOT NULL CHECK (kind IN ('artists', 'albums', 'tracks')),
      body BLOB NOT NULL CHECK (length(body) BETWEEN 1 AND 8388608),
      fetchedAt INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX albumAnswerByAge ON albumAnswer (kind, fetchedAt);
    CREATE TABLE albumArticle (
      album INTEGER NOT NULL CHECK (album > 0),
      language TEXT NOT NULL,
      body BLOB NOT NULL CHECK (length(body) BETWEEN 1 AND 8388608),
      fetchedAt INTEGER NOT NULL,
      PRIMARY KEY (album, language)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE artworkAddress (
      album INTEGER PRIMARY KEY CHECK (album > 0),
      address TEXT NOT NULL
    , heardAt INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE artworkFile (
      album INTEGER NOT NULL REFERENCES artworkAddress (album),
      size TEXT NOT NULL CHECK (size IN ('cover', 'small')),
      address TEXT NOT NULL,
      name TEXT NOT NULL,
      byteCount INTEGER NOT NULL CHECK (byteCount > 0), fetchedAt INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (album, size)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX artworkFileByName ON artworkFile (name);
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
      failedAt INTEGER, givenUp INTEGER NOT NULL DEFAULT 0 CHECK (givenUp >= 0), hasReceived INTEGER NOT NULL DEFAULT 1 CHECK (hasReceived IN (0, 1)),
      CHECK ((quietFrom IS NULL) = (quietUntil IS NULL))
    ) STRICT;
    CREATE TABLE sqlite_sequence(name,seq);
    CREATE INDEX subscriptionByService ON subscription (service, announced);
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
    CREATE INDEX artworkFileByAge ON artworkFile (fetchedAt);
    CREATE INDEX artworkAddressByAge ON artworkAddress (heardAt);
    CREATE TABLE library (
      id INTEGER PRIMARY KEY,
      name BLOB NOT NULL UNIQUE CHECK (length(name) = 32),
      device INTEGER NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      changedAt INTEGER NOT NULL
    , createdOn INTEGER NOT NULL DEFAULT 0, isEstablished INTEGER NOT NULL DEFAULT 1 CHECK (isEstablished IN (0, 1)), idleDays INTEGER NOT NULL DEFAULT 0 CHECK (idleDays >= 0), byteCount INTEGER NOT NULL DEFAULT 0 CHECK (byteCount >= 0)) STRICT;
    CREATE TABLE libraryRegister (
      library INTEGER NOT NULL REFERENCES library (id) ON DELETE CASCADE,
      key BLOB NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
      value BLOB CHECK (length(value) <= 4096),
      time INTEGER NOT NULL CHECK (time BETWEEN 0 AND 281474976710655),
      counter INTEGER NOT NULL CHECK (counter BETWEEN 0 AND 4294967295),
      device INTEGER NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      PRIMARY KEY (library, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE libraryAlias (
      name BLOB PRIMARY KEY CHECK (length(name) = 32),
      home BLOB NOT NULL CHECK (length(home) = 32 AND home <> name),
      pairedAt INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX libraryAliasByHome ON libraryAlias (home);
    CREATE TABLE unreadableLibrary (
      name BLOB PRIMARY KEY CHECK (length(name) = 32),
      content BLOB NOT NULL,
      reason TEXT NOT NULL,
      changedAt INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE libraryExpiry (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      day INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE accessPassphrase (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      hash TEXT NOT NULL CHECK (length(hash) BETWEEN 1 AND 400),
      changedAt INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE credential (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('session', 'key')),
      hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
      owner INTEGER NOT NULL DEFAULT 1,
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
      createdAt INTEGER NOT NULL,
      renewedAt INTEGER NOT NULL,
      seenAt INTEGER
    ) STRICT;
    CREATE INDEX albumArticleByAge ON albumArticle (fetchedAt);
    CREATE TABLE pictureFile (
      number INTEGER NOT NULL REFERENCES picture (number),
      kind TEXT NOT NULL CHECK (kind IN ('standard', 'doubleSize', 'thumbnail', 'larger')),
      name TEXT NOT NULL,
      byteCount INTEGER NOT NULL CHECK (byteCount > 0),
      PRIMARY KEY (number, kind)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX pictureFileByName ON pictureFile (name);
    CREATE TABLE fetch (
      number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
      thing TEXT NOT NULL CHECK (thing IN ('record', 'picture', 'doubleSize', 'larger')),
      state TEXT NOT NULL CHECK (state IN ('fetched', 'absent', 'failed')),
      reason TEXT,
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      nextTry INTEGER,
      PRIMARY KEY (thing, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE hookDelivery (
      hook BLOB NOT NULL CHECK (length(hook) = 32),
      comic INTEGER NOT NULL CHECK (comic BETWEEN 1 AND 999999 AND comic <> 404),
      state TEXT NOT NULL CHECK (state IN ('due', 'delivered', 'failed', 'skipped')),
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      since INTEGER NOT NULL,
      nextTry INTEGER,
      failure TEXT,
      changedAt INTEGER NOT NULL,
      PRIMARY KEY (hook, comic),
      CHECK ((state = 'due') = (nextTry IS NOT NULL))
    ) STRICT, WITHOUT ROWID
    """
}
