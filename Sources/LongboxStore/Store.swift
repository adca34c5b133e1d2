// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import GRDB
import LongboxCore

/// What Longbox keeps on the disk: comics as xkcd sent them, what is known of their pictures, the pictures themselves,
/// and how each fetch went.
///
/// One folder holds all of it: a SQLite database in WAL mode, and the pictures as files. One process at a time may write;
/// any number may read beside it. What a call has stored when it returns outlives a kill -9 of the process; what it was
/// storing when the process was killed is there whole or not at all.
///
/// Calls run on the database's own queues, off the cooperative pool. Writes run one after another, reads beside them.
public final class Store: Sendable {
  /// The data folder.
  public var folder: URL { place.folder }

  let place: StorePlace
  let files: PictureFiles
  let artworkFiles: PictureFiles
  let albumLimits: AlbumLimits
  private let pool: DatabasePool
  private let lock: FolderLock?

  private init(
    place: StorePlace,
    pool: DatabasePool,
    lock: FolderLock?,
    albumLimits: AlbumLimits = AlbumLimits()
  ) {
    self.place = place
    self.files = PictureFiles(place.pictures)
    self.artworkFiles = PictureFiles(place.artwork)
    self.pool = pool
    self.lock = lock
    self.albumLimits = albumLimits
  }

  /// Opens a store for reading and writing; makes it where there is none, and brings its tables up to date.
  /// - Parameters:
  ///   - folder: the data folder. Where it is missing it is made, with permissions 0700.
  ///   - limits: how much is kept of albums.
  /// - Returns: the store, which holds the folder's lock until it is closed or goes away.
  /// - Throws: `inUse`, `damaged`, `newerVersion`, `unusable` or `diskFull`.
  public static func open(
    _ folder: URL,
    keeping limits: AlbumLimits = AlbumLimits()
  ) throws(StoreError) -> Store {
    let place = StorePlace(folder: folder)
    do {
      try Folder.make(folder)
      let lock = try FolderLock(place)
      try makeDatabaseFile(place)
      let pool = try DatabasePool(path: place.database.path, configuration: configuration())
      guard try !pool.read(Schema.migrator.hasBeenSuperseded) else {
        throw StoreError.newerVersion(file: place.database.path)
      }
      try Schema.migrator.migrate(pool)
      let store = Store(place: place, pool: pool, lock: lock, albumLimits: limits)
      try store.files.prepare()
      try store.artworkFiles.prepare()
      return store
    } catch {
      throw StoreError(error, in: place)
    }
  }

  /// Opens a store for reading only, beside a process that may be writing it.
  /// - Parameter folder: the data folder.
  /// - Throws: `nothingStored`, `damaged`, `newerVersion`, `olderVersion` or `unusable`.
  public static func openReading(_ folder: URL) throws(StoreError) -> Store {
    let place = StorePlace(folder: folder)
    guard FileManager.default.fileExists(atPath: place.database.path) else {
      throw .nothingStored(folder: folder.path)
    }
    do {
      let pool = try DatabasePool(path: place.database.path, configuration: configuration(readOnly: true))
      let (isNewer, isCurrent) = try pool.read { database in
        (
          try Schema.migrator.hasBeenSuperseded(database),
          try Schema.migrator.hasCompletedMigrations(database)
        )
      }
      if isNewer { throw StoreError.newerVersion(file: place.database.path) }
      guard isCurrent else { throw StoreError.olderVersion(file: place.database.path) }
      return Store(place: place, pool: pool, lock: nil)
    } catch {
      throw StoreError(error, in: place)
    }
  }

  /// Writes what is still in the write-ahead log into the database file, closes it, and lets go of the folder.
  ///
  /// Later calls fail.
  ///
  /// Nothing is lost without it: the next to open the folder reads the log.
  /// - Throws: `failed` while other calls are under way.
  public func close() throws(StoreError) {
    do {
      if isWritable { try emptyLog() }
      try pool.close()
      lock?.release()
    } catch {
      throw StoreError(error, in: place)
    }
  }

  /// The same as ``close()``, for tasks: on a thread of its own.
  ///
  /// To close is to wait for reads that are ending, and these end on the threads that tasks share. Where as many stores are
  /// closed at a time as there are such threads, and that can be one, none would ever be.
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

  /// Makes an empty database file that is its owner's alone; SQLite gives its -wal and -shm the same permissions.
  ///
  /// One that is there is not even opened: to close it would drop the locks that SQLite holds on it for this process.
  private static func makeDatabaseFile(_ place: StorePlace) throws {
    do {
      _ = try OpenFile(place.database.path, O_RDWR | O_CREAT | O_EXCL)
    } catch  where error.number == EEXIST {
      return
    }
  }

  /// SQLite does so itself for the last connection that closes, but not where that is one of the pool's readers.
  private func emptyLog() throws {
    do {
      _ = try pool.writeWithoutTransaction { database in try database.checkpoint(.truncate) }
    } catch DatabaseError.SQLITE_BUSY {
      // Another process is reading. The log stays, and is as good as the file.
    }
  }

  private static func configuration(readOnly: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.label = "longbox"
    configuration.readonly = readOnly
    configuration.maximumReaderCount = 4
    // Only a reader that comes while the log of a killed process is recovered ever waits.
    configuration.busyMode = .timeout(5)
    return configuration
  }
}

extension Store {
  /// Reads the database, with a view of it that no write changes.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(StoreError) -> Value {
    do { return try await pool.read(body) } catch { throw StoreError(error, in: place) }
  }

  /// Changes the database in one transaction.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(StoreError) -> Value {
    guard isWritable else { throw .openedForReading(folder: folder.path) }
    do { return try await pool.write(body) } catch { throw StoreError(error, in: place) }
  }

  /// Changes the folder of pictures and the database, on the writer's queue, so that no two such changes meet.
  func writeFiles<Value: Sendable>(
    _ body: @escaping @Sendable (Database, PictureFiles) throws -> Value
  ) async throws(StoreError) -> Value {
    try await writeFiles(in: files, body)
  }

  /// The same in one of the two folders of files.
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

  /// Whether this process holds the folder's lock.
  var isWritable: Bool { lock != nil }
}
