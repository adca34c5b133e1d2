// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB

extension PostgresSession {
  /// A separate connection for a copy, with long timeouts.
  static func forCopying(_ address: PostgresAddress) throws -> PostgresSession {
    let settings = PostgresSettings(address: address)
    let session = try PostgresSession(settings, running: settings.setUp)
    session.deadline = nil
    try session.run("SET statement_timeout = '10min'; SET idle_in_transaction_session_timeout = 0")
    return session
  }

  /// Marks the database as incomplete, so that no server opens it.
  /// - Throws: `StoreError.notEmpty` if a complete store is in it.
  func beginCopy(into name: String) throws {
    try transaction { session in
      let rows = try session.execute("SELECT is_complete FROM store FOR UPDATE")
      guard try rows.first?.bool(0) == true else { return }
      for table in CopiedTable.all where try table.lastKey(in: session) != nil {
        throw StoreError.notEmpty(place: name)
      }
      try session.execute("UPDATE store SET is_complete = false")
    }
  }

  /// Sets the sequence of the libraries' ids, which SQLite doesn't have, and marks the database as complete.
  func finishCopy() throws {
    try transaction { session in
      try session.run(
        """
        SELECT setval('library_id_seq', (SELECT max(id) FROM library)) WHERE EXISTS (SELECT FROM library);
        UPDATE store SET is_complete = true
        """
      )
    }
    try run("ANALYZE")
  }
}

extension PostgresEngine {
  /// Creates or updates the tables.
  static func makeTables(_ address: PostgresAddress, _ place: StorePlace) async throws(StoreError) {
    let engine = try connect(address, place)
    defer { engine.pool.close() }
    do {
      try await PostgresMigrator().migrate(engine.pool)
    } catch {
      throw engine.storeError(error)
    }
  }

  /// Copies one snapshot of all tables.
  func copyTables(toSQLite copy: URL) async throws(StoreError) {
    do {
      try await pool.transaction(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        within: .seconds(3_600)
      ) { session in
        let queue = try DatabaseQueue(path: copy.path)
        try Migration.sqlite.migrate(queue)
        try queue.inDatabase { database in
          // The caller syncs the finished file, and discards an unfinished one.
          try database.execute(sql: "PRAGMA synchronous = OFF")
          _ = try StoreCopier(source: session, target: database, progress: { _, _ in }).copyTables()
        }
        try queue.close()
      }
    } catch {
      throw storeError(error)
    }
  }
}
