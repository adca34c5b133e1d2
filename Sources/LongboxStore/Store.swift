// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import GRDB
import LongboxCore

/// Longbox's data on the disk: comics as xkcd sent them, their pictures and picture facts, explanations,
/// albums, readers' libraries, subscriptions and feeds.
///
/// One folder holds all of it: a SQLite database in WAL mode, and the pictures as files. One process at a
/// time may write; any number may read. What a call has stored when it returns survives a kill -9; an
/// interrupted write is complete or has no effect.
///
/// Calls run on the database's queues, off the cooperative pool: writes one after another, reads in parallel.
public final class Store: Sendable {
  /// The data folder.
  public var folder: URL { place.folder }

  let place: StorePlace
  let files: PictureFiles
  let artworkFiles: PictureFiles
  let albumLimits: AlbumLimits
  private let pool: DatabasePool
  private let lock: FolderLock?
  /// Whether it may be changed.
  let isWritable: Bool

  private init(
    place: StorePlace,
    pool: DatabasePool,
    lock: FolderLock?,
    isWritable: Bool = true,
    albumLimits: AlbumLimits = AlbumLimits()
  ) {
    self.place = place
    self.files = PictureFiles(place.pictures)
    self.artworkFiles = PictureFiles(place.artwork)
    self.pool = pool
    self.lock = lock
    self.isWritable = isWritable
    self.albumLimits = albumLimits
  }

  /// Opens a store for reading and writing, creates it if needed, and updates its tables.
  ///
  /// Before the tables of an older version are updated, the database is copied into the folder `upgrades`.
  /// - Parameters:
  ///   - folder: the data folder. If missing, it is made with permissions 0700.
  ///   - limits: how much is kept of albums.
  /// - Returns: the store, which holds the folder's lock until it is closed or released.
  /// - Throws: `inUse`, `damaged`, `newerVersion`, `unusable` or `diskFull`.
  public static func open(
    _ folder: URL,
    keeping limits: AlbumLimits = AlbumLimits()
  ) throws(StoreError) -> Store {
    let place = StorePlace(folder: folder)
    do {
      try Folder.make(folder)
      let lock = try FolderLock(place)
      if isOfNewerVersion(place) { throw StoreError.newerVersion(file: place.database.path) }
      try makeDatabaseFile(place)
      let pool = try DatabasePool(path: place.database.path, configuration: configuration())
      guard try !pool.read(Schema.migrator.hasBeenSuperseded) else {
        throw StoreError.newerVersion(file: place.database.path)
      }
      try UpgradeBackups(place).upgrade(pool, by: Schema.migrator)
      let store = Store(place: place, pool: pool, lock: lock, albumLimits: limits)
      try store.files.prepare()
      try store.artworkFiles.prepare()
      return store
    } catch {
      throw StoreError(error, in: place)
    }
  }

  /// Opens a store for reading only, while another process may write to it.
  /// - Parameter folder: the data folder.
  /// - Throws: `nothingStored`, `damaged`, `newerVersion`, `olderVersion` or `unusable`.
  public static func openReading(_ folder: URL) throws(StoreError) -> Store {
    try openBeside(folder, isWritable: false)
  }

  /// Opens a store to change who may come in, while a server may run on it.
  ///
  /// SQLite lets several processes write to a database. The folder's lock protects the picture files and what
  /// a server has in memory, so nothing else may be changed through this store.
  /// - Parameter folder: the data folder.
  /// - Throws: as ``openReading(_:)``.
  public static func openForAccess(_ folder: URL) throws(StoreError) -> Store {
    try openBeside(folder, isWritable: true)
  }

  private static func openBeside(_ folder: URL, isWritable: Bool) throws(StoreError) -> Store {
    let place = StorePlace(folder: folder)
    guard FileManager.default.fileExists(atPath: place.database.path) else {
      throw .nothingStored(folder: folder.path)
    }
    do {
      let pool = try DatabasePool(
        path: place.database.path,
        configuration: configuration(readOnly: !isWritable)
      )
      let (isNewer, isCurrent) = try pool.read { database in
        (
          try Schema.migrator.hasBeenSuperseded(database),
          try Schema.migrator.hasCompletedMigrations(database)
        )
      }
      if isNewer { throw StoreError.newerVersion(file: place.database.path) }
      guard isCurrent else { throw StoreError.olderVersion(file: place.database.path) }
      return Store(place: place, pool: pool, lock: nil, isWritable: isWritable)
    } catch {
      throw StoreError(error, in: place)
    }
  }

  /// Moves the write-ahead log into the database file, closes it, and releases the folder's lock.
  ///
  /// Later calls fail. Without this nothing is lost: the next process to open the folder reads the log.
  /// - Throws: `failed` while other calls are under way.
  public func close() throws(StoreError) {
    do {
      if lock != nil { try emptyLog() }
      try pool.close()
      lock?.release()
    } catch {
      throw StoreError(error, in: place)
    }
  }

  /// The same as ``close()``, on a thread of its own, for tasks.
  ///
  /// Closing waits for reads that end on the threads that tasks share. If all those threads wait in
  /// ``close()``, and there may be only one, none ever returns.
  /// - Throws: as ``close()``.
  public func closeAside() async throws(StoreError) {
    let outcome = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Void, StoreError>, Never>) in
      Thread.detachNewThread {
        continuation.resume(returning: Result { () throws(StoreError) in try self.close() })
      }
    }
    try outcome.get()
  }

  /// Whether a newer Longbox wrote the database; it is only read, so that it stays as it is.
  private static func isOfNewerVersion(_ place: StorePlace) -> Bool {
    var configuration = configuration(readOnly: true)
    configuration.busyMode = .immediateError
    guard let queue = try? DatabaseQueue(path: place.database.path, configuration: configuration) else {
      return false
    }
    return (try? queue.read(Schema.migrator.hasBeenSuperseded)) ?? false
  }

  /// Makes an empty private database file; SQLite gives its -wal and -shm the same permissions.
  ///
  /// An existing file is not opened: closing it would drop this process's SQLite locks on it.
  private static func makeDatabaseFile(_ place: StorePlace) throws {
    do {
      _ = try OpenFile(place.database.path, O_RDWR | O_CREAT | O_EXCL)
    } catch  where error.number == EEXIST {
      return
    }
  }

  /// Empties the write-ahead log.
  ///
  /// SQLite does so only if the last connection to close is not one of the pool's readers.
  private func emptyLog() throws {
    do {
      _ = try pool.writeWithoutTransaction { database in try database.checkpoint(.truncate) }
    } catch DatabaseError.SQLITE_BUSY {
      // Another process is reading. The log stays, which is as good.
    }
  }

  private static func configuration(readOnly: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.label = "longbox"
    configuration.readonly = readOnly
    configuration.maximumReaderCount = 4
    // Only a reader that comes while a killed process's log is recovered ever waits.
    configuration.busyMode = .timeout(5)
    return configuration
  }
}

extension Store {
  /// Copies one state of the database, to which other processes may write during the copy.
  func copyDatabase(to copy: DatabaseQueue) async throws(StoreError) {
    let pool = pool
    do {
      // Copying takes long, and waits for the disk.
      try await Task.detached { try pool.backup(to: copy) }.value
    } catch {
      throw StoreError(error, in: place)
    }
  }

  /// Reads a consistent snapshot of the database.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(StoreError) -> Value {
    do { return try await pool.read(body) } catch { throw StoreError(error, in: place) }
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(StoreError) -> Value {
    guard isWritable else { throw .openedForReading(folder: folder.path) }
    do { return try await pool.write(body) } catch { throw StoreError(error, in: place) }
  }

  /// Changes the pictures' folder and the database on the writer queue, so that such changes never overlap.
  func writeFiles<Value: Sendable>(
    _ body: @escaping @Sendable (Database, PictureFiles) throws -> Value
  ) async throws(StoreError) -> Value {
    try await writeFiles(in: files, body)
  }

  /// The same for a given folder of files.
  func writeFiles<Value: Sendable>(
    in files: PictureFiles,
    _ body: @escaping @Sendable (Database, PictureFiles) throws -> Value
  ) async throws(StoreError) -> Value {
    guard isWritable else { throw .openedForReading(folder: folder.path) }
    do {
      return try await pool.writeWithoutTransaction { database in try body(database, files) }
    } catch {
      throw StoreError(error, in: place)
    }
  }
}
