// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date

extension Store {
  /// The stored bytes of a reader's library, or nothing where there is none of this name.
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

  /// How many libraries are stored.
  public func libraryCount() async throws(StoreError) -> Int {
    try await read { database in try LibraryTable(database: database).count() }
  }
}
