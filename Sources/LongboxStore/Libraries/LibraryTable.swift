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
    let sql = "SELECT content FROM library WHERE name = ?"
    return try Data.fetchOne(database, sql: sql, arguments: [Data(name.bytes)]).map { [UInt8]($0) }
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
    try Int.fetchOne(database, sql: "SELECT count(*) FROM library") ?? 0
  }
}
