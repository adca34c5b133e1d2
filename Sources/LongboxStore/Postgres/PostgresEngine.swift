// Longbox
// SPDX-License-Identifier: MIT

import CPostgres
import Foundation

/// A store in a PostgreSQL database, with a cache of the pictures in the data folder.
final class PostgresEngine: StoreEngine {
  let pool: PostgresPool
  let place: StorePlace
  let files: PictureFiles
  let artworkFiles: PictureFiles
  let cluster: Cluster?
  let libraryUpdates: LibraryUpdateBatcher
  private let libraryTotal = LibraryTotal()

  private init(_ pool: PostgresPool, _ place: StorePlace) {
    self.pool = pool
    self.place = place
    files = PictureFiles(place.pictures)
    artworkFiles = PictureFiles(place.artwork)
    cluster = Cluster(pool, place)
    libraryUpdates = LibraryUpdateBatcher { libraries, limit in
      try await pool.read(within: limit) { session in
        try PostgresLibraryTable.updates(of: libraries, in: session)
      }
    }
  }

  /// The oldest supported server: PostgreSQL 14 introduced pipelines.
  private static let oldestServer = 140_000

  /// Opens the database for reading and writing, and creates or updates its tables.
  ///
  /// The caller holds the lock of the data folder.
  static func open(_ address: PostgresAddress, _ place: StorePlace) async throws(StoreError) -> PostgresEngine
  {
    let engine = try connect(address, place)
    do {
      try engine.files.prepare()
      try engine.artworkFiles.prepare()
      try await engine.pool.read { session in
        guard session.serverVersion >= oldestServer else {
          throw PostgresError(.other, "the server is older than PostgreSQL 14")
        }
      }
      try await PostgresMigrator().migrate(engine.pool)
      try await engine.requireComplete()
      return engine
    } catch {
      engine.pool.close()
      throw engine.storeError(error)
    }
  }

  /// Opens the database while other nodes use it, without changing its tables.
  static func openWithoutLock(
    _ address: PostgresAddress,
    _ place: StorePlace
  ) async throws(StoreError) -> PostgresEngine {
    let engine = try connect(address, place)
    do {
      let state = try await engine.pool.read { session in try PostgresMigrator.state(in: session) }
      switch state {
      case .empty: throw StoreError.nothingStored(folder: "\(address)")
      case .newer: throw StoreError.newerVersion(file: "\(address)")
      case .older: throw StoreError.olderVersion(file: "\(address)")
      case .current: try await engine.requireComplete()
      }
      return engine
    } catch {
      engine.pool.close()
      throw engine.storeError(error)
    }
  }

  /// Loads libpq; the pool connects on demand.
  static func connect(_ address: PostgresAddress, _ place: StorePlace) throws(StoreError) -> PostgresEngine {
    if let reason = lbx_pg_load() {
      throw .missingLibrary(reason: String(cString: reason))
    }
    return PostgresEngine(PostgresPool(PostgresSettings(address: address)), place)
  }

  /// Refuses a database that `longbox migrate-store` has not filled completely.
  private func requireComplete() async throws {
    let address = "\(pool.settings.address)"
    try await pool.read { session in
      guard try session.execute("SELECT is_complete FROM store").first?.bool(0) == true else {
        throw StoreError.incompleteCopy(database: address)
      }
    }
  }

  func close() { pool.close() }

  var shared: SharedStore? { SharedStore(engine: self) }

  func storeError(_ error: any Error) -> StoreError {
    StoreError(error, in: place, pool.settings.address)
  }
}

extension PostgresEngine {
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTables) throws -> Value
  ) async throws(StoreError) -> Value {
    do {
      return try await pool.read { session in try body(PostgresTables(session: session)) }
    } catch {
      throw storeError(error)
    }
  }

  func readSnapshot<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTables) throws -> Value
  ) async throws(StoreError) -> Value {
    do {
      return try await pool.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") { session in
        try body(PostgresTables(session: session))
      }
    } catch {
      throw storeError(error)
    }
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTables) throws -> Value
  ) async throws(StoreError) -> Value {
    do {
      return try await changeTables { [libraryTotal] session in
        try body(PostgresTables(session: session, libraryTotal: libraryTotal))
      }
    } catch {
      throw storeError(error)
    }
  }

  /// Saves the round trip of the commit.
  func writeStatement<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTables) throws -> Value
  ) async throws(StoreError) -> Value {
    // A leader's change checks the term before, in the same transaction.
    guard LeaderTerm.current == nil else { return try await write(body) }
    do {
      return try await pool.statement { [libraryTotal] session in
        try body(PostgresTables(session: session, libraryTotal: libraryTotal))
      }
    } catch {
      throw storeError(error)
    }
  }

  func sizes() async throws(StoreError) -> (database: Int, log: Int) {
    do {
      // Pictures are counted apart.
      let sql = "SELECT pg_database_size(current_database()) - pg_total_relation_size('blob')"
      let size = try await pool.read { session in try session.execute(sql).first?.int(0) }
      return (size ?? 0, 0)
    } catch {
      throw storeError(error)
    }
  }
}
