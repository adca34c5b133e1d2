// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import GRDB

/// A backup: one SQLite file that contains other files in pieces, with the SHA-256 of each piece, of each file, and of the
/// list of files.
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
  ///
  /// Those of version 1 have no hash of the list.
  private static let version = 2
  /// The size of a piece in bytes; the last piece of a file may be smaller.
  private static let pieceSize = 4 << 20

  private let queue: DatabaseQueue
  private let location: URL
  private let version: Int

  /// Makes an empty backup; the file must not exist.
  init(making location: URL) throws {
    self.location = location
    version = Self.version
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
          CREATE TABLE list (hash BLOB NOT NULL CHECK (length(hash) = 32)) STRICT;
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
      guard (1...Self.version).contains(version) else { throw StoreError.newerVersion(file: location.path) }
      self.version = version
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

  /// Adds the hash of the list of files, closes the backup, and syncs it to the disk.
  func close() throws {
    let hash = Self.hash(of: try entries())
    try queue.write { try $0.execute(sql: "INSERT INTO list (hash) VALUES (?)", arguments: [Data(hash)]) }
    try queue.close()
    try OpenFile(location.path, O_RDONLY).sync()
  }

  /// The files in the backup, sorted by name.
  func entries() throws -> [Entry] {
    try reading { database in
      try database.rows("SELECT name, byteCount, hash FROM file ORDER BY name") { row in
        Entry(name: try row.text(0), byteCount: try row.int(1), hash: try row.bytes(2))
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

  /// Checks the tables, the list of files, and the hashes of all files.
  /// - Parameter needed: a file that a whole backup has.
  /// - Throws: `StoreError.backupDamaged`.
  func check(needing needed: String, _ progress: inout BackupProgress) throws {
    let faults = try reading { database in try String.fetchAll(database, sql: "PRAGMA integrity_check(1)") }
    guard faults == ["ok"] else {
      throw damage("its tables")
    }
    let entries = try entries()
    guard try listHashes() == (version == 1 ? [] : [Self.hash(of: entries)]) else {
      throw damage("its list of files")
    }
    guard entries.contains(where: { $0.name == needed }) else { throw damage("it has no \(needed)") }
    let stray = "SELECT file FROM piece WHERE file NOT IN (SELECT name FROM file) LIMIT 1"
    if let name = try reading({ database in try String.fetchOne(database, sql: stray) }) {
      throw damage("\(name) is not in its list of files")
    }
    for entry in entries {
      try reading { database in
        var pieces = try BackupPieces(of: entry, in: database, of: location)
        while let bytes = try pieces.next() { try progress.add(bytes.count) }
      }
    }
  }

  /// The stored hash of the list of files: one in a whole backup, none in one of version 1.
  private func listHashes() throws -> [[UInt8]] {
    guard version > 1 else { return [] }
    return try reading { database in
      try database.rows("SELECT hash FROM list") { row in try row.bytes(0) }
    }
  }

  /// The hash of a list of files, sorted by name.
  ///
  /// Each name has its length before it, so no two lists look the same.
  private static func hash(of entries: [Entry]) -> [UInt8] {
    var hash = SHA256()
    for entry in entries {
      for number in [entry.name.utf8.count, entry.byteCount] {
        withUnsafeBytes(of: Int64(number).bigEndian) { hash.update(bufferPointer: $0) }
      }
      hash.update(data: Array(entry.name.utf8))
      hash.update(data: entry.hash)
    }
    return [UInt8](hash.finalize())
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

/// Reads the pieces of a file in a backup in order, and checks their hashes.
struct BackupPieces {
  private let entry: BackupArchive.Entry
  private let location: URL
  private let rows: RowCursor
  private var hash = SHA256()
  private var byteCount = 0
  private var place = 0

  init(of entry: BackupArchive.Entry, in database: Database, of location: URL) throws {
    self.entry = entry
    self.location = location
    rows = try Row.fetchCursor(
      database,
      sql: "SELECT place, bytes, hash FROM piece WHERE file = ? ORDER BY place",
      arguments: [entry.name]
    )
  }

  /// The bytes of the next piece; nil after the last one, if the hash of the whole file is right.
  /// - Throws: `StoreError.backupDamaged`.
  mutating func next() throws -> [UInt8]? {
    guard let row = try rows.next().map(SQLRow.sqlite) else {
      guard byteCount == entry.byteCount, entry.hash == [UInt8](hash.finalize()) else { throw damage }
      return nil
    }
    let bytes = try row.bytes(1)
    guard try row.int(0) == place, try row.bytes(2) == [UInt8](SHA256.hash(data: bytes)) else {
      throw damage
    }
    hash.update(data: bytes)
    byteCount += bytes.count
    place += 1
    return bytes
  }

  private var damage: StoreError { .backupDamaged(file: location.path, part: entry.name) }
}

/// Counts the bytes of a backup that were read.
struct BackupProgress {
  private let total: Int
  private let report: (_ done: Int, _ total: Int) -> Void
  private var done = 0

  /// Creates a counter at 0.
  /// - Parameters:
  ///   - total: the number of bytes that will be read.
  ///   - report: called with the bytes so far, and the total.
  init(of total: Int, report: @escaping (_ done: Int, _ total: Int) -> Void) {
    self.total = total
    self.report = report
  }

  /// Adds bytes, and reports them.
  /// - Throws: `CancellationError` if the task was cancelled.
  mutating func add(_ bytes: Int) throws {
    try Task.checkCancellation()
    done += bytes
    report(done, total)
  }
}
