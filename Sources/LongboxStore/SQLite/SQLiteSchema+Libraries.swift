// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

extension SQLiteSchema {
  /// Replaces the table that stored each library as one blob.
  ///
  /// `libraryAlias` has the names of libraries that were paired with another, their `home`.
  /// `unreadableLibrary` keeps damaged blobs for a person to look at; no code reads it. `time` of a register is in
  /// milliseconds since 1970 UTC.
  static func storeRegistersAsRows(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE library RENAME TO libraryBlock;
        CREATE TABLE library (
          id INTEGER PRIMARY KEY,
          name BLOB NOT NULL UNIQUE CHECK (length(name) = 32),
          device INTEGER NOT NULL,
          sequence INTEGER NOT NULL CHECK (sequence >= 0),
          changedAt INTEGER NOT NULL
        ) STRICT;
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
        INSERT INTO libraryAlias (name, home, pairedAt)
          SELECT name, joinedTo, changedAt FROM libraryBlock WHERE joinedTo IS NOT NULL;
        """
    )
    let blocks = try Row.fetchCursor(
      database,
      sql: "SELECT name, content, changedAt FROM libraryBlock WHERE joinedTo IS NULL"
    )
    while let block = try blocks.next() { try move(block, in: database) }
    try database.execute(sql: "DROP TABLE libraryBlock")
  }

  private static func move(_ block: Row, in database: Database) throws {
    let content = [UInt8](block["content"] as Data)
    let replica: Replica
    do {
      replica = try Replica(decoding: content)
    } catch {
      return try database.execute(
        sql: "INSERT INTO unreadableLibrary (name, content, reason, changedAt) VALUES (?, ?, ?, ?)",
        arguments: [block["name"] as Data, Data(content), error.description, block["changedAt"] as Int64]
      )
    }
    try database.execute(
      sql: "INSERT INTO library (name, device, sequence, changedAt) VALUES (?, ?, ?, ?)",
      arguments: [
        block["name"] as Data, Int64(bitPattern: replica.clock.device),
        Int64(bitPattern: replica.library.sequence), block["changedAt"] as Int64,
      ]
    )
    let library = database.lastInsertedRowID
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO libraryRegister (library, key, value, time, counter, device, sequence)
          VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    )
    for register in replica.library.registers(writtenAfter: nil) {
      let entry = register.entry
      try insert.execute(arguments: [
        library, Data(entry.key.text.bytes), entry.value.map { Data($0.bytes) }, Int64(entry.timestamp.time),
        Int64(entry.timestamp.counter), Int64(bitPattern: entry.timestamp.device), Int64(register.sequence),
      ])
    }
  }
}
