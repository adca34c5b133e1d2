// Longbox
// SPDX-License-Identifier: MIT

import GRDB

/// The tables about albums, as migrations 008, 012 and 016 make them; these have shipped, so they are frozen.
enum AlbumSchema {
  /// `body` is the source of truth in both tables of answers: the bytes that the source sent.
  ///
  /// `pick` was a choice of page for all readers; ``removePicks(_:)`` drops it.
  static func create(_ database: Database) throws {
    try database.execute(
      sql: """
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
          pick INTEGER CHECK (pick >= 0),
          fetchedAt INTEGER NOT NULL,
          PRIMARY KEY (album, language)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE artworkAddress (
          album INTEGER PRIMARY KEY CHECK (album > 0),
          address TEXT NOT NULL
        ) STRICT;
        CREATE TABLE artworkFile (
          album INTEGER NOT NULL REFERENCES artworkAddress (album),
          size TEXT NOT NULL CHECK (size IN ('cover', 'small')),
          address TEXT NOT NULL,
          name TEXT NOT NULL,
          byteCount INTEGER NOT NULL CHECK (byteCount > 0),
          PRIMARY KEY (album, size)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX artworkFileByName ON artworkFile (name);
        """
    )
  }

  /// Older rows get the time 0, so they are removed first.
  static func addAges(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE artworkFile ADD COLUMN fetchedAt INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX artworkFileByAge ON artworkFile (fetchedAt);
        ALTER TABLE artworkAddress ADD COLUMN heardAt INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX artworkAddressByAge ON artworkAddress (heardAt);
        CREATE INDEX albumArticleByAge ON albumArticle (fetchedAt) WHERE pick IS NULL;
        """
    )
  }

  /// Each reader's choice of article is in their library; the choices for all readers go.
  static func removePicks(_ database: Database) throws {
    try database.execute(
      sql: """
        DROP INDEX albumArticleByAge;
        ALTER TABLE albumArticle DROP COLUMN pick;
        CREATE INDEX albumArticleByAge ON albumArticle (fetchedAt);
        """
    )
  }
}
