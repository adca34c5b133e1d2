// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB

/// The SQL about readers' libraries.
///
/// What is in one is its own business: here it is bytes.
struct LibraryTable {
  let database: Database

  func content(_ name: LibraryName) throws -> [UInt8]? {
    let sql = "SELECT content FROM library WHERE name = ? AND joinedTo IS NULL"
    return try Data.fetchOne(database, sql: sql, arguments: [Data(name.bytes)]).map { [UInt8]($0) }
  }

  /// The library that one was joined to, or nothing where it stands by itself or isn't there.
  func home(of name: LibraryName) throws -> LibraryName? {
    let sql = "SELECT joinedTo FROM library WHERE name = ? AND joinedTo IS NOT NULL"
    return try Data.fetchOne(database, sql: sql, arguments: [Data(name.bytes)])
      .map { LibraryName(bytes: [UInt8]($0)) }
  }

  /// Empties a library, which need not be there, and has it name another; so with all that were joined to it before, that
  /// there are no chains.
  func join(_ name: LibraryName, to home: LibraryName, at date: Date) throws {
    try database.execute(
      sql: """
        INSERT INTO library (name, content, changedAt, joinedTo) VALUES (:name, x'', :date, :home)
        ON CONFLICT (name) DO UPDATE SET content = x'', changedAt = :date, joinedTo = :home;
        UPDATE library SET changedAt = :date, joinedTo = :home WHERE joinedTo = :name;
        """,
      arguments: ["home": Data(home.bytes), "date": date.seconds, "name": Data(name.bytes)]
    )
  }

  func put(_ content: [UInt8], as name: LibraryName, at date: Date) throws {
    try database.execute(
      sql: """
        INSERT INTO library (name, content, changedAt) VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET content = excluded.content, changedAt = excluded.changedAt
        """,
      arguments: [Data(name.bytes), Data(content), date.seconds]
    )
  }

  func count() throws -> Int {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM library WHERE joinedTo IS NULL") ?? 0
  }
}
