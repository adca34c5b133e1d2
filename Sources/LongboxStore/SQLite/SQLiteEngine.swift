// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

/// A SQLite database in WAL mode, with the pictures as files beside it.
///
/// One process at a time may write; any number may read. What a call has stored when it returns is on the disk, and
/// survives a kill -9 and a power cut; an interrupted write is complete or has no effect.
///
/// Calls run on the database's queues, off the cooperative pool: writes one after another, reads in parallel.
final class SQLiteEngine: StoreEngine {
  /// Nil, because the data folder's lock lets only one server use the tables.
  let shared: SharedStore? = nil
  let place: StorePlace
  let files: PictureFolders
  private let pool: DatabasePool
  /// Whether this process alone may write, so that it empties the log at the end.
  private let isAlone: Bool
  let librarySpace: LibrarySpace

  private init(_ place: StorePlace, _ pool: DatabasePool, isAlone: Bool) {
    self.place = place
    self.pool = pool
    self.isAlone = isAlone
    files = PictureFolders(place)
    librarySpace = LibrarySpace(on: place.folder)
  }

  /// Opens the database for reading and writing, creates it if needed, and updates its tables.
  ///
  /// Before the tables of an older version are updated, the database is copied into the folder `upgrades`. The
  /// caller holds the folder's lock.
  static func open(_ place: StorePlace) throws -> SQLiteEngine {
    try checkKinds(place)
    if isOfNewerVersion(place) { throw StoreError.newerVersion(file: place.database.path) }
    try makeDatabaseFile(place)
    let pool = try pool(place)
    guard try !pool.read(Migration.sqlite.hasBeenSuperseded) else {
      throw StoreError.newerVersion(file: place.database.path)
    }
    try UpgradeBackups(place).upgrade(pool, by: Migration.sqlite)
    let engine = SQLiteEngine(place, pool, isAlone: true)
    try engine.files.prepare()
    return engine
  }

  /// Opens the database while another process may write to it.
  static func openWithoutLock(_ place: StorePlace, isWritable: Bool) throws -> SQLiteEngine {
    guard FileManager.default.fileExists(atPath: place.database.path) else {
      throw StoreError.nothingStored(folder: place.folder.path)
    }
    try checkKinds(place)
    let pool = try pool(place, readOnly: !isWritable)
    let (isNewer, isCurrent) = try pool.read { database in
      (
        try Migration.sqlite.hasBeenSuperseded(database),
        try Migration.sqlite.hasCompletedMigrations(database)
      )
    }
    if isNewer { throw StoreError.newerVersion(file: place.database.path) }
    guard isCurrent else { throw StoreError.olderVersion(file: place.database.path) }
    return SQLiteEngine(place, pool, isAlone: false)
  }

  /// Moves the write-ahead log into the database file, and closes it.
  func close() throws {
    if isAlone { try emptyLog() }
    try pool.close()
  }

  /// Whether a newer Longbox wrote the database; it is only read, so that it stays as it is.
  private static func isOfNewerVersion(_ place: StorePlace) -> Bool {
    var configuration = configuration(readOnly: true)
    configuration.busyMode = .immediateError
    guard let queue = try? DatabaseQueue(path: place.database.path, configuration: configuration) else {
      return false
    }
    return (try? queue.read(Migration.sqlite.hasBeenSuperseded)) ?? false
  }

  /// Refuses what isn't a file in the place of the database or its log: SQLite would wait for the other end of a pipe.
  ///
  /// An existing file is not opened: closing it would drop this process's SQLite locks on it.
  private static func checkKinds(_ place: StorePlace) throws {
    for suffix in ["", "-wal", "-shm"] {
      var status = stat()
      let path = place.database.path + suffix
      guard stat(path, &status) == 0 else { continue }
      guard status.st_mode & S_IFMT == S_IFREG else { throw FileError(special: path) }
    }
  }

  /// Makes an empty private database file; SQLite gives its -wal and -shm the same permissions.
  private static func makeDatabaseFile(_ place: StorePlace) throws {
    do {
      _ = try OpenFile(place.database.path, O_RDWR | O_CREAT | O_EXCL)
    } catch  where error.number == EEXIST {
      return
    }
  }

  /// Empties the write-ahead log.
  ///
  /// SQLite empties it by itself only if the last connection that closes can write.
  private func emptyLog() throws {
    do {
      _ = try pool.writeWithoutTransaction { database in try database.checkpoint(.truncate) }
    } catch DatabaseError.SQLITE_BUSY {
      // Another process is reading. The log stays, which is as good.
    }
  }

  private static func pool(_ place: StorePlace, readOnly: Bool = false) throws -> DatabasePool {
    let pool = try DatabasePool(path: place.database.path, configuration: configuration(readOnly: readOnly))
    // The pool's own setting, NORMAL, syncs the log only when it is emptied: a power cut would take the last changes back.
    if !readOnly { try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") } }
    return pool
  }

  private static func configuration(readOnly: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.label = "longbox"
    configuration.readonly = readOnly
    configuration.maximumReaderCount = 4
    // Reads wait only while SQLite recovers the log of a killed process.
    configuration.busyMode = .timeout(5)
    return configuration
  }
}

extension SQLiteEngine {
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await readDatabase { database in try body(database) }
  }

  /// Each read of SQLite is a snapshot already.
  func readSnapshot<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await read(body)
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await writeDatabase { database in try body(database) }
  }

  /// Uses a transaction, because a check after the statement may fail.
  func writeStatement<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await write(body)
  }

  /// Reads a consistent snapshot of the database.
  func readDatabase<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(StoreError) -> Value {
    do { return try await pool.read(body) } catch { throw StoreError(error, in: place) }
  }

  func writeDatabase<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(StoreError) -> Value {
    do { return try await pool.write(body) } catch { throw StoreError(error, in: place) }
  }

  /// Changes the pictures' folder and the database on the writer queue, so that such changes never overlap.
  func writeFiles<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(StoreError) -> Value {
    do { return try await pool.writeWithoutTransaction(body) } catch { throw StoreError(error, in: place) }
  }

  func sizes() async throws(StoreError) -> (database: Int, log: Int) {
    func size(_ path: String) -> Int {
      var status = stat()
      return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
    return (size(place.database.path), size(place.database.path + "-wal"))
  }

  /// Copies one state of the database, to which other processes may write during the copy.
  func copyTables(toSQLite copy: URL) async throws(StoreError) {
    let pool = pool
    do {
      // Copying takes long, and waits for the disk.
      try await Task.detached {
        let target = try DatabaseQueue(path: copy.path)
        try pool.backup(to: target)
        // The copy is one file, without a log beside it.
        try target.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try target.close()
      }.value
    } catch {
      throw StoreError(error, in: place)
    }
  }
}

// MARK: Pictures

extension SQLiteEngine {
  func location(of name: ContentName, in folder: PictureFolder) -> URL { files[folder].location(of: name) }

  /// Stores pictures in a safe order: writes the files, then their rows, then removes the replaced files.
  func writePictures(
    _ new: [NewPictureFile],
    in folder: PictureFolder,
    after check: @escaping @Sendable (any SQLConnection) throws -> Void,
    _ change: @escaping @Sendable (any SQLConnection) throws -> Set<ContentName>
  ) async throws(StoreError) {
    try await writeFiles { [files = files[folder]] database in
      try check(database)
      for file in new { try files.write(file.bytes, as: file.name) }
      let leaving = try database.transaction { try change(database) }
      for name in leaving where try !database.uses(name, in: folder) { try files.remove(name) }
    }
  }

  func readPicture(
    in folder: PictureFolder,
    _ find: @escaping @Sendable (any SQLConnection) throws -> PictureFile?
  ) async throws(StoreError) -> (file: PictureFile, bytes: [UInt8]?)? {
    try await read { [files] database in
      guard let file = try find(database) else { return nil }
      return (file, try files.bytes(of: file, in: folder))
    }
  }

  func bringToDisk(_ file: PictureFile, in folder: PictureFolder) async throws(StoreError) -> Bool {
    files[folder].isWhole(file.name, byteCount: file.byteCount)
  }

  func forgetDamagedPicture(_ name: ContentName) async throws(StoreError) {
    try await writeFiles { [files = files.pictures] database in
      guard let byteCount = try database.pictures.byteCount(of: name) else { return }
      guard !files.isWhole(name, byteCount: byteCount) else { return }
      try database.transaction { try database.pictures.forget(name) }
      try files.remove(name)
    }
  }

  func sweepPictures() async throws(StoreError) -> PictureTotals {
    try await writeFiles { [files] database in try files.sweep(keeping: database.pictureFiles()) }
  }
}

// MARK: Audit

extension SQLiteEngine {
  func audit(
    readingPictures: Bool,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void
  ) async throws(StoreError) -> StoreAudit {
    try await readDatabase { [files] database in
      var audit = StoreAudit()
      audit.databaseFaults = try Self.faults(database)
      audit.comics = try database.comics.count()
      audit.gaps = try database.comics.gaps()
      let pictures = try database.pictures.files()
      let covers = try database.albums.artworkFiles()
      let total = pictures.count + covers.count
      audit.wholePictures = try audit.compare(pictures, with: files.pictures, reading: readingPictures) {
        progress($0, total)
      }
      audit.wholeCovers = try audit.compare(Array(covers), with: files.artwork, reading: readingPictures) {
        progress(pictures.count + $0, total)
      }
      return audit
    }
  }

  /// The results of SQLite's own checks, at most twenty of each kind.
  private static func faults(_ database: Database) throws -> [String] {
    let pages = try String.fetchAll(database, sql: "PRAGMA quick_check(20)").filter { $0 != "ok" }
    let references = try database.rows("PRAGMA foreign_key_check") { row in
      "a row of \(try row.text(0)) refers to one of \(try row.text(2)) that is missing"
    }
    return pages + references.prefix(20)
  }
}

extension StoreAudit {
  /// Compares the database's files with those on the disk, and adds the differences.
  /// - Returns: how many files are intact.
  fileprivate mutating func compare(
    _ stored: [PictureFile],
    with files: PictureFiles,
    reading: Bool,
    _ progress: (_ done: Int) -> Void
  ) throws -> Int {
    let found = try files.all()
    var whole = 0
    for (index, file) in stored.enumerated() {
      progress(index)
      if found[file.name] == nil {
        missingPictures.append(file.name.value)
      } else if try files.isIntact(file, size: found[file.name], reading: reading) {
        whole += 1
      } else {
        damagedPictures.append(file.name.value)
      }
    }
    unusedFiles += Set(found.keys).subtracting(stored.map(\.name)).count
    return whole
  }
}

extension PictureFiles {
  /// Whether a file still has its stored size and, if read, its stored bytes.
  fileprivate func isIntact(_ file: PictureFile, size: Int?, reading: Bool) throws -> Bool {
    guard size == file.byteCount else { return false }
    guard reading else { return true }
    guard let bytes = try read(file.name, byteCount: file.byteCount) else { return false }
    return file.isContent(bytes)
  }
}
