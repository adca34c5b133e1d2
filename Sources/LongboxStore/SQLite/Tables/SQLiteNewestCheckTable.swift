// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

/// The SQL about the check for a new comic: one row.
struct SQLiteNewestCheckTable: NewestCheckTable {
  let database: Database

  func check() throws -> NewestCheck? {
    guard let row = try Row.fetchOne(database, sql: "SELECT * FROM newestCheck"),
      let date = try row.date("checkedAt")
    else { return nil }
    return NewestCheck(
      newest: (try row.value("newest") as Int?).flatMap { Comic.Number($0) },
      validator: try row.validator(),
      checkedAt: date,
      succeededAt: try row.date("succeededAt"),
      failure: try row.value("failure")
    )
  }

  func put(_ check: NewestCheck) throws {
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO newestCheck (id, newest, etag, lastModified, checkedAt, succeededAt, failure)
        VALUES (1, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        check.newest?.value, check.validator.etag, check.validator.lastModified, check.checkedAt.seconds,
        check.succeededAt?.seconds, check.failure.map { String($0.prefix(FetchLimits.reasonLength)) },
      ]
    )
  }
}
