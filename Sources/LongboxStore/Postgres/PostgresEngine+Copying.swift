// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB

extension PostgresEngine {
  /// Copies one snapshot of all tables.
  func copyTables(toSQLite copy: URL) async throws(StoreError) {
    let place = place
    do {
      try await pool.transaction(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        within: .seconds(3_600)
      ) { session in
        let queue = try DatabaseQueue(path: copy.path)
        try Schema.migrator.migrate(queue)
        try queue.inDatabase { database in
          // The caller syncs the finished file, and discards an unfinished one.
          try database.execute(sql: "PRAGMA synchronous = OFF")
          let copier = StoreCopier(
            source: PostgresCopiedStore(session: session),
            target: SQLiteCopiedStore(database, place),
            progress: { _, _ in }
          )
          _ = try copier.copyTables()
        }
        try queue.close()
      }
    } catch {
      throw storeError(error)
    }
  }
}
