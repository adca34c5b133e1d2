// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// The location of a store.
public struct StoreLocation: Hashable, Sendable {
  /// The data folder.
  ///
  /// With SQLite it has everything. With PostgreSQL it has a node's caches, keys and settings, so each node needs a
  /// separate folder.
  public var folder: URL
  /// The PostgreSQL database that has everything; nil for SQLite in the folder.
  public var database: PostgresAddress?

  /// Creates a location.
  /// - Parameters:
  ///   - folder: the data folder.
  ///   - database: the PostgreSQL database; nil for SQLite in the folder.
  public init(_ folder: URL, database: PostgresAddress? = nil) {
    self.folder = folder
    self.database = database
  }
}
