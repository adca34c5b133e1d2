// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

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
