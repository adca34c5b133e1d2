// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import GRDB

/// A backup: one SQLite file that contains other files in pieces, with the SHA-256 of each piece and of each file.
struct BackupArchive {
  /// A file in the backup.
  struct Entry {
    /// The path below the data folder, such as `pictures/ab/cdef….png`.
    var name: String
    var byteCount: Int
    /// The SHA-256 of all its bytes.
    var hash: [UInt8]
  }

  /// The application ID in the file's header, "LBXB", which marks a backup of Longbox.
  private static let applicationID = 0x4C42_5842
  /// The version of the tables below.
  private static let version = 1
  /// The size of a piece in bytes; the last piece of a file may be smaller.
  private static let pieceSize = 4 << 20

  private let queue: DatabaseQueue
  private let location: URL

  /// Makes an empty backup; the file must not exist.
  init(making location: URL) throws {
    self.location = location
    // Makes the file private before SQLite opens it.
    _ = try OpenFile(location.path, O_RDWR | O_CREAT | O_EXCL)
    queue = try DatabaseQueue(path: location.path)
    try queue.writeWithoutTransaction { database in
      // An unfinished backup is deleted after a crash, so the journal stays in memory, and only `close` syncs.
      try database.execute(
        sql: """
          PRAGMA journal_mode = MEMORY;
          PRAGMA synchronous = OFF;
          PRAGMA application_id = \(Self.applicationID);
          PRAGMA user_version = \(Self.version);
          CREATE TABLE file (
            name TEXT PRIMARY KEY,
            byteCount INTEGER NOT NULL,
            hash BLOB NOT NULL CHECK (length(hash) = 32)
          ) STRICT, WITHOUT ROWID;
          CREATE TABLE piece (
            id INTEGER PRIMARY KEY,
            file TEXT NOT NULL,
            place INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            UNIQUE (file, place)
          ) STRICT;
          """
      )
    }
  }

  /// Opens a backup for reading.
  /// - Throws: `StoreError.notABackup`, or `newerVersion` if a newer Longbox made it.
  init(reading location: URL) throws {
    self.location = location
    var configuration = Configuration()
    configuration.readonly = true
    // Opened first, so that a missing file isn't reported as `notABackup`.
    _ = try OpenFile(location.path, O_RDONLY)
    do {
      queue = try DatabaseQueue(path: location.path, configuration: configuration)
      let (application, version) = try queue.read { database in
        (
          try Int.fetchOne(database, sql: "PRAGMA application_id"),
          try Int.fetchOne(database, sql: "PRAGMA user_version")
        )
      }
      guard application == Self.applicationID, let version else {
        throw StoreError.notABackup(file: location.path)
      }
      guard version == Self.version else { throw StoreError.newerVersion(file: location.path) }
    } catch is DatabaseError {
      throw StoreError.notABackup(file: location.path)
    }
  }

  /// Adds a file.
  /// - Parameters:
  ///   - source: the file to copy.
  ///   - name: its name in the backup.
  /// - Returns: the number of its bytes; nil if there is no such file.
  func add(_ source: URL, as name: String) throws -> Int? {
    do {
      return try queue.write { database in
        let file = try OpenFile(source.path, O_RDONLY)
        var (hash, byteCount, place) = (SHA256(), 0, 0)
        while true {
          let bytes = try file.read(Self.pieceSize)
          guard !bytes.isEmpty else { break }
          hash.update(data: bytes)
          try database.execute(
            sql: "INSERT INTO piece (file, place, bytes, hash) VALUES (?, ?, ?, ?)",
            arguments: [name, place, Data(bytes), Data(SHA256.hash(data: bytes))]
          )
          byteCount += bytes.count
          place += 1
        }
        try database.execute(
          sql: "INSERT INTO file (name, byteCount, hash) VALUES (?, ?, ?)",
          arguments: [name, byteCount, Data(hash.finalize())]
        )
        return byteCount
      }
    } catch let error as FileError where error.number == ENOENT {
      return nil
    }
  }

  /// Closes the backup, and syncs it to the disk.
  func close() throws {
    try queue.close()
    try OpenFile(location.path, O_RDONLY).sync()
  }

  /// The files in the backup, sorted by name.
  func entries() throws -> [Entry] {
    try reading { database in
      try Row.fetchAll(database, sql: "SELECT name, byteCount, hash FROM file ORDER BY name").map { row in
        Entry(name: try row.value("name"), byteCount: try row.value("byteCount"), hash: try row.bytes("hash"))
      }
    }
  }

  /// The number of bytes to read for all files, according to the tables.
  /// - Parameter times: how often each file is read.
  /// - Throws: `StoreError.backupDamaged` if a size is negative, or the sum overflows.
  func byteCount(times: Int = 1) throws -> Int {
    var sum = 0
    for entry in try entries() {
      let (product, productOverflows) = entry.byteCount.multipliedReportingOverflow(by: times)
      let (next, sumOverflows) = sum.addingReportingOverflow(product)
      guard entry.byteCount >= 0, !productOverflows, !sumOverflows else { throw damage(entry.name) }
      sum = next
    }
    return sum
  }

  /// Writes a file's bytes to a new file, and syncs it.
  /// - Throws: `StoreError.backupDamaged`; the file may be incomplete then.
  func extract(_ entry: Entry, to target: URL, _ progress: inout BackupProgress) throws {
    try reading { database in
      let file = try OpenFile(target.path, O_WRONLY | O_CREAT | O_EXCL)
      var pieces = try BackupPieces(of: entry, in: database, of: location)
      while let bytes = try pieces.next() {
        try file.write(bytes)
        try progress.add(bytes.count)
      }
      try file.sync()
    }
  }

  /// Checks the tables and the hashes of all files.
  /// - Throws: `StoreError.backupDamaged`.
  func check(_ progress: inout BackupProgress) throws {
    let faults = try reading { database in try String.fetchAll(database, sql: "PRAGMA integrity_check(1)") }
    guard faults == ["ok"] else {
      throw damage("its tables")
    }
    for entry in try entries() {
      try reading { database in
        var pieces = try BackupPieces(of: entry, in: database, of: location)
        while let bytes = try pieces.next() { try progress.add(bytes.count) }
      }
    }
  }

  private func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try queue.inDatabase(body)
    } catch let error as DatabaseError {
      throw damage("\(error)")
    }
  }

  private func damage(_ part: String) -> StoreError { .backupDamaged(file: location.path, part: part) }
}
