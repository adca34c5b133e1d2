// Longbox
// SPDX-License-Identifier: MIT

import GRDB

/// The tables for access control, as migration 015 makes them.
enum AccessSchema {
  /// `accessPassphrase` has the household's one passphrase, as a salted hash with its parameters.
  ///
  /// `credential` has the signed-in devices and the access keys of programs. `hash` is the SHA-256 of the secret,
  /// which is not stored. `owner` is always 1: there is one household. `renewedAt` is when a device last got its
  /// cookie.
  static func create(_ database: Database) throws {
    try database.execute(
      sql: """
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
        """
    )
  }
}
