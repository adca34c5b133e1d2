// Longbox
// SPDX-License-Identifier: MIT

extension PostgresCopiedStore {
  /// Marks the database as incomplete, so that no server opens it.
  /// - Throws: `StoreError.notEmpty` if a complete store is in it.
  func begin(_ name: String) throws {
    try session.transaction { session in
      let rows = try session.execute("SELECT is_complete FROM store FOR UPDATE")
      guard try rows.first?.bool(0) == true else { return }
      for table in CopiedTable.all where try lastKey(of: table) != nil {
        throw StoreError.notEmpty(place: name)
      }
      try session.execute("UPDATE store SET is_complete = false")
    }
  }

  /// Sets the counters and sequences, which SQLite doesn't have, and marks the database as complete.
  func finish() throws {
    try session.transaction { session in
      try session.run(
        """
        UPDATE counter SET value = (SELECT coalesce(max(revision), 0) FROM comic) WHERE name = 'comics';
        UPDATE counter SET value = (SELECT coalesce(max(change), 0) FROM explanation) WHERE name = 'explanations';
        SELECT setval('library_id_seq', (SELECT max(id) FROM library)) WHERE EXISTS (SELECT FROM library);
        UPDATE store SET is_complete = true
        """
      )
    }
    try session.run("ANALYZE")
  }
}

extension PostgresSession {
  /// A separate connection for a copy, with long timeouts.
  static func forCopying(_ address: PostgresAddress) throws -> PostgresSession {
    let settings = PostgresSettings(address: address)
    let session = try PostgresSession(settings, running: settings.setUp)
    session.deadline = nil
    try session.run("SET statement_timeout = '10min'; SET idle_in_transaction_session_timeout = 0")
    return session
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
}
