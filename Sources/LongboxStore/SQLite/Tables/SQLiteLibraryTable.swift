// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

/// The SQL about readers' libraries.
///
/// Each register is a row, so a write touches only what changed. SQLite sorts blobs in the order of keys.
struct SQLiteLibraryTable: LibraryTable {
  let database: Database
  /// The data folder, whose disk has the free space; nil where no library is written.
  let folder: URL?
  let total: LibraryTotal

  private var usage: SQLiteLibraryUsage {
    SQLiteLibraryUsage(database: database, folder: folder, total: total)
  }

  func save(_ change: LibraryChange, within quota: LibraryQuota) throws -> Bool {
    let usage = usage
    let standing = try usage.check(change, within: quota)
    try write(change.replica, changedSince: change.sequence, as: change.name, at: change.date)
    try usage.note(change, after: standing)
    return standing.isNew
  }

  func expire(idleDays: Int, unusedDays: Int, at date: Date) throws -> [LibraryName] {
    try usage.expire(idleDays: idleDays, unusedDays: unusedDays, at: date)
  }

  func byteCount() throws -> Int { try usage.byteCount() }

  func library(_ name: LibraryName) throws -> StoredLibrary {
    if let home = try home(of: name) { return .paired(with: home) }
    let select = try database.cachedStatement(sql: "SELECT id, device, sequence FROM library WHERE name = ?")
    guard let row = try Row.fetchOne(select, arguments: [Data(name.bytes)]) else { return .none }
    let sequence = UInt64(bitPattern: try row.value("sequence") as Int64)
    let library = try registers(of: try row.value("id"), upTo: sequence)
    return .library(Replica(library: library, device: UInt64(bitPattern: try row.value("device") as Int64)))
  }

  /// The library that one was paired with, or nil.
  func home(of name: LibraryName) throws -> LibraryName? {
    let select = try database.cachedStatement(sql: "SELECT home FROM libraryAlias WHERE name = ?")
    return try Data.fetchOne(select, arguments: [Data(name.bytes)]).map { LibraryName(bytes: [UInt8]($0)) }
  }

  /// Writes the changes of a library, and creates it if needed.
  /// - Parameters:
  ///   - replica: the library with the changes.
  ///   - sequence: its sequence before them.
  ///   - name: its name.
  ///   - date: now.
  private func write(
    _ replica: Replica,
    changedSince sequence: UInt64,
    as name: LibraryName,
    at date: Date
  ) throws {
    let library = try head(replica, changedSince: sequence, as: name, at: date)
    let upsert = try database.cachedStatement(
      sql: """
        INSERT INTO libraryRegister (library, key, value, time, counter, device, sequence)
          VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (library, key) DO UPDATE SET value = excluded.value, time = excluded.time,
          counter = excluded.counter, device = excluded.device, sequence = excluded.sequence
        """
    )
    for register in replica.library.registers(writtenAfter: sequence) {
      let entry = register.entry
      try upsert.execute(arguments: [
        library, Data(entry.key.text.bytes), entry.value.map { Data($0.bytes) }, Int64(entry.timestamp.time),
        Int64(entry.timestamp.counter), Int64(bitPattern: entry.timestamp.device), Int64(register.sequence),
      ])
    }
  }

  /// One transaction at a time writes, so there is nothing to lock.
  func lock(_ names: [LibraryName]) {}

  /// Removes a library, if it exists; its name and its aliases become aliases of another, without chains.
  func pair(_ name: LibraryName, holding left: Replica?, with home: LibraryName, at date: Date) throws {
    try database.execute(
      sql: """
        DELETE FROM library WHERE name = :name;
        UPDATE libraryAlias SET home = :home, pairedAt = :date WHERE home = :name;
        INSERT INTO libraryAlias (name, home, pairedAt) VALUES (:name, :home, :date);
        """,
      arguments: ["home": Data(home.bytes), "date": date.seconds, "name": Data(name.bytes)]
    )
  }

  func count() throws -> Int {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM library") ?? 0
  }

  /// Inserts or updates, because the library may be stored without changes.
  private static let making = """
    INSERT INTO library (name, device, sequence, changedAt, createdOn, isEstablished)
      VALUES (:name, :device, :sequence, :date, :day, 0)
    ON CONFLICT (name) DO UPDATE SET sequence = excluded.sequence, changedAt = excluded.changedAt
      WHERE sequence = :before AND device = excluded.device
    RETURNING id
    """

  /// Updates only: if the library was removed, a new row would have only these changes.
  private static let changing = """
    UPDATE library SET sequence = :sequence, changedAt = :date
      WHERE name = :name AND sequence = :before AND device = :device
    RETURNING id
    """

  /// Writes a library's row.
  /// - Returns: its id.
  /// - Throws: `StoreError.conflict` if the row has another sequence or device, or is gone.
  private func head(
    _ replica: Replica,
    changedSince sequence: UInt64,
    as name: LibraryName,
    at date: Date
  ) throws -> Int64 {
    let statement = try database.cachedStatement(sql: sequence == 0 ? Self.making : Self.changing)
    let id = try Int64.fetchOne(
      statement,
      arguments: [
        "name": Data(name.bytes), "device": Int64(bitPattern: replica.clock.device),
        "sequence": Int64(bitPattern: replica.library.sequence), "date": date.seconds,
        "day": LibraryChange.day(of: date),
        "before": Int64(bitPattern: sequence),
      ]
    )
    guard let id else { throw StoreError.conflict }
    return id
  }

  /// A library's registers; columns are read by index, because looking up names takes most of the time.
  private func registers(of library: Int64, upTo sequence: UInt64) throws -> Library {
    let select = try database.cachedStatement(
      sql: """
        SELECT key, value, time, counter, device, sequence FROM libraryRegister WHERE library = ? ORDER BY key
        """
    )
    var entries: [LibraryEntry] = []
    var sequences: [UInt64] = []
    let rows = try Row.fetchCursor(select, arguments: [library])
    do {
      while let row = try rows.next() {
        let timestamp = Timestamp(
          time: UInt64(bitPattern: try row.value(2) as Int64),
          counter: try row.value(3),
          device: UInt64(bitPattern: try row.value(4) as Int64)
        )
        let key = try LibraryKey(row.withUnsafeData(atIndex: 0) { Text($0 ?? Data()) })
        let value = try row.withUnsafeData(atIndex: 1) { $0.map { Text($0) } }
        entries.append(try LibraryEntry(key: key, value: value, timestamp: timestamp))
        sequences.append(UInt64(bitPattern: try row.value(5) as Int64))
      }
      return try Library(entries: entries, sequences: sequences, sequence: sequence)
    } catch let error as LibraryError {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: error.description)
    }
  }
}
