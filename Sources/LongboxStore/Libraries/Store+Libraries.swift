// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import LongboxCore

extension Store {
  /// What is stored under the name of a reader's library.
  /// - Throws: `damaged` where a row holds something that no version of Longbox can have written; nothing is changed then.
  public func library(_ name: LibraryName) async throws(StoreError) -> StoredLibrary {
    try await read { database in try LibraryTable(database: database).library(name) }
  }

  /// Keeps what changed in a reader's library, in as many rows as there are changed registers.
  ///
  /// When this returns, the changes outlive a kill of the process. A library that isn't there is made.
  /// - Parameters:
  ///   - replica: the library with the changes.
  ///   - sequence: its sequence before them, 0 for a new one.
  ///   - name: whose it is.
  ///   - date: now.
  /// - Throws: `failed` where what is stored has another sequence; nothing is changed then.
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

  /// The library that one was paired with, or the name itself.
  public func home(of name: LibraryName) async throws(StoreError) -> LibraryName {
    try await read { database in try LibraryTable(database: database).home(of: name) ?? name }
  }

  /// Pairs a library with another: from now on both names mean one library.
  ///
  /// That is done in one step, so that a kill leaves two libraries or one.
  /// - Parameters:
  ///   - name: the library that goes up in the other.
  ///   - home: the other one; it stands by itself, and may be new.
  ///   - replica: both together.
  ///   - sequence: the other one's sequence before, 0 for a new one.
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

  /// How many libraries are stored; those that were paired count as one.
  public func libraryCount() async throws(StoreError) -> Int {
    try await read { database in try LibraryTable(database: database).count() }
  }
}
