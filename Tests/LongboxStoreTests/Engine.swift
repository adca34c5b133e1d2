// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import LongboxStore

/// The engines that the contract of a store is tested on.
enum Engine: String, CaseIterable, CustomTestStringConvertible {
  case sqlite, postgres

  /// Those that are here.
  static let tested = PostgresServer.problem == nil ? Engine.allCases : [.sqlite]

  var testDescription: String { rawValue }

  /// Opens the store of a folder; the same folder gives the same store.
  func open(_ folder: URL, keeping limits: AlbumLimits = AlbumLimits()) async throws -> Store {
    try await Store.open(location(folder), keeping: limits)
  }

  /// Where the store of a folder is.
  func location(_ folder: URL) async throws -> StoreLocation {
    switch self {
    case .sqlite: StoreLocation(folder)
    case .postgres:
      StoreLocation(
        folder,
        database: PostgresAddress(
          try await PostgresServer.database(folder.lastPathComponent.lowercased())
        )
      )
    }
  }
}

extension Store {
  /// The engine of a store in SQLite.
  var sqlite: SQLiteEngine {
    get throws { try #require(engine as? SQLiteEngine) }
  }

  /// The engine of a store in PostgreSQL.
  var postgres: PostgresEngine {
    get throws { try #require(engine as? PostgresEngine) }
  }

  func rowCount(of table: String) async throws -> Int {
    try await read { database in try database.number("SELECT count(*) FROM \(table)") }
  }
}
