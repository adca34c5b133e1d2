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
    CREATE TABLE "newest_check" (
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
    CREATE TABLE "album_answer" (
      question TEXT PRIMARY KEY CHECK (length(question) BETWEEN 3 AND 400),
      kind TEXT NOT NULL CHECK (kind IN ('artists', 'albums', 'tracks')),
      body BLOB NOT NULL CHECK (length(body) BETWEEN 1 AND 8388608),
      fetched_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE "album_article" (
      album INTEGER NOT NULL CHECK (album > 0),
      language TEXT NOT NULL,
      body BLOB NOT NULL CHECK (length(body) BETWEEN 1 AND 8388608),
      fetched_at INTEGER NOT NULL,
      PRIMARY KEY (album, language)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE "artwork_address" (
      album INTEGER PRIMARY KEY CHECK (album > 0),
      address TEXT NOT NULL
    , heard_at INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE "artwork_file" (
      album INTEGER NOT NULL REFERENCES "artwork_address" (album),
      size TEXT NOT NULL CHECK (size IN ('cover', 'small')),
      address TEXT NOT NULL,
      name TEXT NOT NULL,
      byte_count INTEGER NOT NULL CHECK (byte_count > 0), fetched_at INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (album, size)
    ) STRICT, WITHOUT ROWID;
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
    CREATE TABLE "comic_change" (
      number INTEGER PRIMARY KEY REFERENCES comic (number),
      changed_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE "favorites_feed" (
      token TEXT PRIMARY KEY CHECK (length(token) BETWEEN 16 AND 64),
      library BLOB NOT NULL CHECK (length(library) = 32),
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE library (
      id INTEGER PRIMARY KEY,
      name BLOB NOT NULL UNIQUE CHECK (length(name) = 32),
      device INTEGER NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      changed_at INTEGER NOT NULL
    , created_on INTEGER NOT NULL DEFAULT 0, is_established INTEGER NOT NULL DEFAULT 1 CHECK (is_established IN (0, 1)), idle_days INTEGER NOT NULL DEFAULT 0 CHECK (idle_days >= 0), byte_count INTEGER NOT NULL DEFAULT 0 CHECK (byte_count >= 0)) STRICT;
    CREATE TABLE "library_register" (
      library INTEGER NOT NULL REFERENCES library (id) ON DELETE CASCADE,
      key BLOB NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
      value BLOB CHECK (length(value) <= 4096),
      time INTEGER NOT NULL CHECK (time BETWEEN 0 AND 281474976710655),
      counter INTEGER NOT NULL CHECK (counter BETWEEN 0 AND 4294967295),
      device INTEGER NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      PRIMARY KEY (library, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE "library_alias" (
      name BLOB PRIMARY KEY CHECK (length(name) = 32),
      home BLOB NOT NULL CHECK (length(home) = 32 AND home <> name),
      paired_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE "unreadable_library" (
      name BLOB PRIMARY KEY CHECK (length(name) = 32),
      content BLOB NOT NULL,
      reason TEXT NOT NULL,
      changed_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE "library_expiry" (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      day INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE "access_passphrase" (
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
    CREATE TABLE "picture_file" (
      number INTEGER NOT NULL REFERENCES picture (number),
      kind TEXT NOT NULL CHECK (kind IN ('standard', 'doubleSize', 'thumbnail', 'larger')),
      name TEXT NOT NULL,
      byte_count INTEGER NOT NULL CHECK (byte_count > 0),
      PRIMARY KEY (number, kind)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE "comic_fetch" (
      number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 999999 AND number <> 404),
      thing TEXT NOT NULL CHECK (thing IN ('record', 'picture', 'doubleSize', 'larger')),
      state TEXT NOT NULL CHECK (state IN ('fetched', 'absent', 'failed')),
      reason TEXT,
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      next_try INTEGER,
      PRIMARY KEY (thing, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE "hook_delivery" (
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
    CREATE INDEX comic_by_revision ON comic (revision);
    CREATE INDEX picture_file_by_name ON picture_file (name);
    CREATE INDEX explanation_by_look ON explanation (look_again);
    CREATE INDEX album_answer_by_age ON album_answer (kind, fetched_at);
    CREATE INDEX album_article_by_age ON album_article (fetched_at);
    CREATE INDEX artwork_address_by_age ON artwork_address (heard_at);
    CREATE INDEX artwork_file_by_name ON artwork_file (name);
    CREATE INDEX artwork_file_by_age ON artwork_file (fetched_at);
    CREATE INDEX library_alias_by_home ON library_alias (home);
    CREATE INDEX subscription_by_service ON subscription (service, announced);
    CREATE INDEX subscription_by_library ON subscription (library);
    CREATE INDEX favorites_feed_by_library ON favorites_feed (library);
    CREATE TABLE counter (
      name TEXT PRIMARY KEY,
      value INTEGER NOT NULL CHECK (value >= 0)
    ) STRICT, WITHOUT ROWID
    """
}
