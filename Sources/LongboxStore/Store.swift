// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// Longbox's data: comics as xkcd sent them, their pictures and picture facts, explanations, albums, readers'
/// libraries, subscriptions and feeds.
///
/// By default one folder holds everything: an SQLite database, and the pictures as files. If a ``StoreLocation`` names a
/// PostgreSQL database, that database holds everything, and the folder has only caches and this node's keys.
///
/// When a call returns, its changes survive a kill -9 and a power cut. An interrupted write is complete or has no effect.
public final class Store: Sendable {
  /// Where the store is.
  public let location: StoreLocation
  let engine: any StoreEngine
  let albumLimits: AlbumLimits
  private let lock: FolderLock?
  /// Whether it may be changed.
  let isWritable: Bool

  init(
    _ location: StoreLocation,
    engine: any StoreEngine,
    lock: FolderLock?,
    isWritable: Bool = true,
    albumLimits: AlbumLimits = AlbumLimits()
  ) {
    self.location = location
    self.engine = engine
    self.lock = lock
    self.isWritable = isWritable
    self.albumLimits = albumLimits
  }

  /// The data folder.
  public var folder: URL { location.folder }

  /// The same store, for what only the leader of several nodes may change.
  ///
  /// Its changes fail with `StoreError.notLeader` if this node has led and leads no more. A node that never led, such as a
  /// command or a server on SQLite, has no leader above it.
  public var forLeader: Store {
    Store(location, engine: engine.forLeader, lock: lock, isWritable: isWritable, albumLimits: albumLimits)
  }

  /// Closes the connections to the database, and releases the folder's lock; later calls fail.
  ///
  /// With SQLite, it waits for calls that are under way, and moves the write-ahead log into the database file. If a
  /// process ends without this, nothing is lost: the next one reads the log.
  /// - Throws: an error of SQLite; the store is still open then.
  @available(*, noasync, message: "It blocks a thread of the shared pool. Use closeOnNewThread().")
  public func close() throws(StoreError) {
    do {
      try engine.close()
      lock?.release()
    } catch {
      throw StoreError(error, in: StorePlace(folder: folder))
    }
  }

  /// Calls ``close()`` on a new thread, so that it can't block the threads that tasks share.
  ///
  /// Closing waits for reads, which need those threads to end. If all of them waited in ``close()``, it would never
  /// return.
  /// - Throws: as ``close()``.
  public func closeOnNewThread() async throws(StoreError) {
    let outcome = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Void, StoreError>, Never>) in
      Thread.detachNewThread {
        continuation.resume(returning: Result { () throws(StoreError) in try self.close() })
      }
    }
    try outcome.get()
  }
}

// The methods are in one type for each kind of data.
extension Store {
  /// The passphrase, signed-in devices and access keys.
  public var access: AccessStore { AccessStore(store: self) }

  /// The albums and their covers.
  public var albums: AlbumStore { AlbumStore(store: self) }

  /// Which subscribers to notify of which comics.
  public var announcements: AnnouncementStore { AnnouncementStore(store: self) }

  /// The comics' records.
  public var comics: ComicStore { ComicStore(store: self) }

  /// The comics' explanations.
  public var explanations: ExplanationStore { ExplanationStore(store: self) }

  /// The data of feeds.
  public var feeds: FeedStore { FeedStore(store: self) }

  /// What was fetched of each comic, and what is due.
  public var fetches: FetchStore { FetchStore(store: self) }

  /// Which comics were announced to which hooks.
  public var hooks: HookStore { HookStore(store: self) }

  /// The readers' libraries.
  public var libraries: LibraryStore { LibraryStore(store: self) }

  /// The comics' pictures and picture facts.
  public var pictures: PictureStore { PictureStore(store: self) }

  /// The browsers that get notifications.
  public var subscriptions: SubscriptionStore { SubscriptionStore(store: self) }
}

extension Store {
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await engine.read(body)
  }

  /// Reads one snapshot with several statements.
  func readSnapshot<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await engine.readSnapshot(body)
  }

  /// Changes tables in one transaction.
  @discardableResult
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try requireWritable()
    return try await engine.write(body)
  }

  /// Changes tables with one statement.
  func writeStatement<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try requireWritable()
    return try await engine.writeStatement(body)
  }

  /// Stores files and the rows that refer to them, see ``StoreEngine``.
  func writePictures(
    _ files: [NewPictureFile],
    in folder: PictureFolder = .pictures,
    after check: @escaping @Sendable (any SQLConnection) throws -> Void = { _ in },
    _ change: @escaping @Sendable (any SQLConnection) throws -> Set<ContentName>
  ) async throws(StoreError) {
    try requireWritable()
    try await engine.writePictures(files, in: folder, after: check, change)
  }

  func requireWritable() throws(StoreError) {
    guard isWritable else { throw .openedForReading(folder: folder.path) }
  }
}

extension Store {
  /// Opens a store for reading and writing, creates it if needed, and updates its tables.
  ///
  /// Before SQLite's tables of an older version are updated, the database is copied into the folder `upgrades`.
  /// - Parameters:
  ///   - location: the data folder and the database. If the folder is missing, it is made with permissions 0700.
  ///   - limits: how much is kept of albums.
  /// - Returns: the store, which holds the folder's lock until it is closed or released.
  /// - Throws: `inUse`, `damaged`, `newerVersion`, `unusable`, `unreachable` or `diskFull`.
  public static func open(
    _ location: StoreLocation,
    keeping limits: AlbumLimits = AlbumLimits()
  ) async throws(StoreError) -> Store {
    guard let database = location.database else { return try open(location.folder, keeping: limits) }
    let place = StorePlace(folder: location.folder)
    do {
      try Folder.make(place.folder)
      let lock = try FolderLock(place)
      let engine = try await PostgresEngine.open(database, place)
      return Store(location, engine: engine, lock: lock, albumLimits: limits)
    } catch {
      throw StoreError(error, in: place)
    }
  }

  /// Opens a store for reading only, while another process may write to it.
  /// - Throws: `nothingStored`, `damaged`, `newerVersion`, `olderVersion`, `unreachable` or `unusable`.
  public static func openReading(_ location: StoreLocation) async throws(StoreError) -> Store {
    try await openWithoutLock(location, isWritable: false)
  }

  /// Opens a store to change the passphrase, devices and access keys; a server may run on it.
  ///
  /// Both databases let several processes write. But the folder's lock protects the picture files and the server's
  /// memory, so nothing else may be changed through this store.
  /// - Throws: as ``openReading(_:)``.
  public static func openForAccess(_ location: StoreLocation) async throws(StoreError) -> Store {
    try await openWithoutLock(location, isWritable: true)
  }

  private static func openWithoutLock(
    _ location: StoreLocation,
    isWritable: Bool
  ) async throws(StoreError) -> Store {
    guard let database = location.database else {
      return try openWithoutLock(location.folder, isWritable: isWritable)
    }
    let place = StorePlace(folder: location.folder)
    let engine = try await PostgresEngine.openWithoutLock(database, place)
    return Store(location, engine: engine, lock: nil, isWritable: isWritable)
  }
}

extension Store {
  /// Opens a store in SQLite for reading and writing, see ``open(_:keeping:)``.
  public static func open(
    _ folder: URL,
    keeping limits: AlbumLimits = AlbumLimits()
  ) throws(StoreError) -> Store {
    let place = StorePlace(folder: folder)
    do {
      try Folder.make(folder)
      let lock = try FolderLock(place)
      let engine = try SQLiteEngine.open(place)
      return Store(StoreLocation(folder), engine: engine, lock: lock, albumLimits: limits)
    } catch {
      throw StoreError(error, in: place)
    }
  }

  /// Opens a store in SQLite for reading only, see ``openReading(_:)``.
  public static func openReading(_ folder: URL) throws(StoreError) -> Store {
    try openWithoutLock(folder, isWritable: false)
  }

  /// Opens a store in SQLite to change the passphrase, devices and access keys, see ``openForAccess(_:)``.
  public static func openForAccess(_ folder: URL) throws(StoreError) -> Store {
    try openWithoutLock(folder, isWritable: true)
  }

  private static func openWithoutLock(_ folder: URL, isWritable: Bool) throws(StoreError) -> Store {
    let place = StorePlace(folder: folder)
    do {
      let engine = try SQLiteEngine.openWithoutLock(place, isWritable: isWritable)
      return Store(StoreLocation(folder), engine: engine, lock: nil, isWritable: isWritable)
    } catch {
      throw StoreError(error, in: place)
    }
  }
}

extension Store {
  /// The pause between two tries to open a folder that another process has open.
  private static let pause = Duration.milliseconds(100)

  /// Opens a store as ``open(_:keeping:)`` does, and waits while another process has the folder open.
  ///
  /// Commands in a terminal have it open only briefly.
  /// - Parameters:
  ///   - location: the data folder and the database.
  ///   - limit: how long to wait at most.
  ///   - clock: measures the pauses.
  ///   - isWorthWaiting: called before each pause, with the error that names the other process.
  /// - Throws: as ``open(_:keeping:)``, and `cancelled`.
  public static func open(
    _ location: StoreLocation,
    within limit: Duration,
    clock: any Clock<Duration> = ContinuousClock(),
    while isWorthWaiting: (StoreError) -> Bool = { _ in true }
  ) async throws(StoreError) -> Store {
    var rest = limit
    while true {
      do throws(StoreError) {
        return try await open(location)
      } catch {
        guard case .inUse = error, rest > .zero, isWorthWaiting(error) else { throw error }
      }
      do { try await clock.sleep(for: pause) } catch { throw .cancelled }
      rest -= pause
    }
  }
}

/// The location of a store.
public struct StoreLocation: Hashable, Sendable {
  /// The data folder.
  ///
  /// With SQLite it has everything. With PostgreSQL it has a node's caches, keys and settings, so each node needs a
  /// separate folder.
  public var folder: URL
  /// The PostgreSQL database that has everything; nil for SQLite in the folder.
  public var database: PostgresAddress?

  /// Creates a location.
  /// - Parameters:
  ///   - folder: the data folder.
  ///   - database: the PostgreSQL database; nil for SQLite in the folder.
  public init(_ folder: URL, database: PostgresAddress? = nil) {
    self.folder = folder
    self.database = database
  }
}
