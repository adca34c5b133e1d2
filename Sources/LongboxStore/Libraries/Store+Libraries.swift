// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import LongboxCore

extension Store {
  /// The stored library with a name.
  /// - Throws: `damaged` if a row has a value that no version of Longbox writes. Nothing is changed then.
  public func library(_ name: LibraryName) async throws(StoreError) -> StoredLibrary {
    try await read { database in try LibraryTable(database: database).library(name) }
  }

  /// Writes the changed registers of a reader's library, one row each.
  ///
  /// When this returns, the changes survive a kill of the process. A missing library is created.
  /// - Parameters:
  ///   - replica: the library with the changes.
  ///   - sequence: its sequence before them, 0 for a new one.
  ///   - name: its name.
  ///   - date: now.
  /// - Throws: `failed` if the stored sequence differs. Nothing is changed then.
  public func saveLibrary(
    _ replica: Replica,
    changedSince sequence: UInt64,
    as name: LibraryName,
    at date: Date
  ) async throws(StoreError) {
    try await write { database in
      try LibraryTable(database: database).write(replica, changedSince: sequence, as: name, at: date)
    }
  }

  /// The library that one was paired with, or its own name.
  public func home(of name: LibraryName) async throws(StoreError) -> LibraryName {
    try await read { database in try LibraryTable(database: database).home(of: name) ?? name }
  }

  /// Pairs a library with another in one transaction; both names then mean one library.
  /// - Parameters:
  ///   - name: the library that is merged into the other.
  ///   - home: the other library. It must not be paired itself, and may be new.
  ///   - replica: both libraries merged.
  ///   - sequence: the other library's sequence before, 0 for a new one.
  ///   - date: now.
  public func pairLibrary(
    _ name: LibraryName,
    with home: LibraryName,
    merged replica: Replica,
    changedSince sequence: UInt64,
    at date: Date
  ) async throws(StoreError) {
    try await write { database in
      let table = LibraryTable(database: database)
      try table.write(replica, changedSince: sequence, as: home, at: date)
      try table.pair(name, with: home, at: date)
    }
  }

  /// The number of stored libraries; paired libraries count as one.
  public func libraryCount() async throws(StoreError) -> Int {
    try await read { database in try LibraryTable(database: database).count() }
  }
}
