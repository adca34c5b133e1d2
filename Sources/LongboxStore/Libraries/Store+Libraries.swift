// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date

extension Store {
  /// The stored bytes of a reader's library, or nothing where there is none of this name, or it was joined to another.
  public func library(_ name: LibraryName) async throws(StoreError) -> [UInt8]? {
    try await read { database in try LibraryTable(database: database).content(name) }
  }

  /// Keeps a reader's library.
  ///
  /// When this returns, the library outlives a kill of the process.
  /// - Parameters:
  ///   - content: the library's bytes, at most 16 MiB.
  ///   - name: whose it is.
  ///   - date: now.
  public func saveLibrary(_ content: [UInt8], as name: LibraryName, at date: Date) async throws(StoreError) {
    try await write { database in try LibraryTable(database: database).put(content, as: name, at: date) }
  }

  /// The library that one was joined to, or the name itself.
  public func home(of name: LibraryName) async throws(StoreError) -> LibraryName {
    try await read { database in try LibraryTable(database: database).home(of: name) ?? name }
  }

  /// Joins a library to another: from now on both names mean one library.
  ///
  /// That is done in one step, so that a kill leaves two libraries or one.
  /// - Parameters:
  ///   - name: the library that goes up in the other.
  ///   - home: the other one; it stands by itself, and may be new.
  ///   - content: the bytes of both together.
  ///   - date: now.
  public func joinLibrary(
    _ name: LibraryName,
    to home: LibraryName,
    content: [UInt8],
    at date: Date
  ) async throws(StoreError) {
    try await write { database in
      let table = LibraryTable(database: database)
      try table.put(content, as: home, at: date)
      try table.join(name, to: home, at: date)
    }
  }

  /// How many libraries are stored, each that was joined to another counted with it.
  public func libraryCount() async throws(StoreError) -> Int {
    try await read { database in try LibraryTable(database: database).count() }
  }
}
