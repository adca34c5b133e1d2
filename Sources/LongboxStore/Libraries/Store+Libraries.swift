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
  ///   - quota: the space that libraries may take.
  ///   - isTrusted: whether its reader is known: signed in, or with several devices. The quota of new libraries
  ///     doesn't apply to it, now and later.
  ///   - date: now.
  /// - Throws: `quota`; `failed` if the stored sequence differs. Nothing is changed then.
  public func saveLibrary(
    _ replica: Replica,
    changedSince sequence: UInt64,
    as name: LibraryName,
    within quota: LibraryQuota = .unlimited,
    isTrusted: Bool = false,
    at date: Date
  ) async throws(StoreError) {
    try await write { [folder] database in
      try LibraryTable(database: database).write(replica, changedSince: sequence, as: name, at: date)
      try LibraryUsage(database: database, folder: folder)
        .noteWrite(name, size: replica.library.size, within: quota, isTrusted: isTrusted, at: date)
    }
  }

  /// Removes the libraries that nobody has used for a long time; works at most once a day.
  /// - Parameters:
  ///   - idleDays: after how many days on which the server ran; 0 for never.
  ///   - unusedDays: the same for a library whose reader never came back; 0 for never.
  ///   - date: now.
  /// - Returns: the names of the removed libraries.
  public func expireLibraries(
    idleDays: Int,
    unusedDays: Int,
    at date: Date
  ) async throws(StoreError) -> [LibraryName] {
    try await write { [folder] database in
      try LibraryUsage(database: database, folder: folder)
        .expire(idleDays: idleDays, unusedDays: unusedDays, at: date)
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
    try await write { [folder] database in
      let table = LibraryTable(database: database)
      try table.write(replica, changedSince: sequence, as: home, at: date)
      try table.pair(name, with: home, at: date)
      let usage = LibraryUsage(database: database, folder: folder)
      try usage.noteWrite(home, size: replica.library.size, within: .unlimited, isTrusted: true, at: date)
    }
  }

  /// The number of stored libraries; paired libraries count as one.
  public func libraryCount() async throws(StoreError) -> Int {
    try await read { database in try LibraryTable(database: database).count() }
  }
}
