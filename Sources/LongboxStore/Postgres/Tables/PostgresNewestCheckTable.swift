// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

struct PostgresNewestCheckTable: NewestCheckTable {
  let session: PostgresSession

  func check() throws -> NewestCheck? {
    let row = try session.execute(
      "SELECT newest, etag, last_modified, checked_at, succeeded_at, failure FROM newest_check"
    ).first
    return try row.map { row in
      NewestCheck(
        newest: try row.optionalInt(0).flatMap { Comic.Number($0) },
        validator: try row.validator(1),
        checkedAt: try row.date(3),
        succeededAt: try row.optionalDate(4),
        failure: try row.optionalText(5)
      )
    }
  }

  func put(_ check: NewestCheck) throws {
    try session.execute(
      """
      INSERT INTO newest_check (id, newest, etag, last_modified, checked_at, succeeded_at, failure)
      VALUES (1, $1, $2, $3, $4, $5, $6)
      ON CONFLICT (id) DO UPDATE SET newest = excluded.newest, etag = excluded.etag,
        last_modified = excluded.last_modified, checked_at = excluded.checked_at,
        succeeded_at = excluded.succeeded_at, failure = excluded.failure
      """,
      .init(check.newest?.value),
      .init(check.validator.etag),
      .init(check.validator.lastModified),
      .init(check.checkedAt),
      .init(check.succeededAt),
      .init(check.failure.map { String($0.prefix(FetchLimits.reasonLength)) })
    )
  }
}
