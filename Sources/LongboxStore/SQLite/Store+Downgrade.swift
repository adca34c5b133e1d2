// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import GRDB

extension Store {
  /// Whether a file is a copy of the database alone, as an upgrade makes it.
  public static func isDatabaseCopy(_ location: URL) -> Bool {
    guard let queue = try? reading(location) else { return false }
    let tables = try? queue.read { try $0.tableExists("grdb_migrations") && $0.tableExists("comic") }
    return tables ?? false
  }

  /// Puts a copy of the database in the place of a data folder's database; everything else in the folder stays.
  ///
  /// The present database may be that of a newer version, which is the reason to restore an older one. The restored one
  /// isn't upgraded.
  /// - Parameters:
  ///   - location: the copy, which is checked first.
  ///   - folder: the data folder, which no other process may have open.
  /// - Returns: the replaced database, under a new name; nil if there was none.
  /// - Throws: `damaged`, `newerVersion`, `inUse`, `unusable` or `diskFull`; nothing has been changed then.
  public static func restoreDatabase(_ location: URL, to folder: URL) throws(StoreError) -> URL? {
    let place = StorePlace(folder: folder)
    do {
      try check(location)
      try Folder.make(folder)
      let lock = try FolderLock(place)
      defer { lock.release() }
      let fresh = place.database.appendingPathExtension("restoring")
      defer { unlink(fresh.path) }
      try copyFile(location, to: fresh, byRoot: true)
      guard FileManager.default.fileExists(atPath: place.database.path) else {
        try move(fresh, place.database)
        try sync(folder)
        return nil
      }
      let old = freeName(place.database)
      emptyLog(of: place.database)
      do {
        try copyFile(place.database, to: old, byRoot: false)
      } catch {
        unlink(old.path)
        throw error
      }
      // A log that can't be emptied belongs to the old database, and moves with it.
      func moveLog(_ source: URL, _ target: URL) {
        for suffix in ["-wal", "-shm"] { rename(source.path + suffix, target.path + suffix) }
      }
      moveLog(place.database, old)
      do {
        try move(fresh, place.database)
      } catch {
        moveLog(old, place.database)
        throw error
      }
      try sync(folder)
      return old
    } catch {
      throw StoreError(error, in: place)
    }
  }

  private static func reading(_ location: URL) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    return try FolderOwner.allowing(R_OK, location) {
      _ = try OpenFile(location.path, O_RDONLY)
      return try DatabaseQueue(path: location.path, configuration: configuration)
    }
  }

  /// Checks that a copy is whole, and that this version knows its tables.
  private static func check(_ location: URL) throws {
    let (faults, isNewer) = try reading(location).read { database in
      (
        try String.fetchAll(database, sql: "PRAGMA integrity_check(1)"),
        try Schema.migrator.hasBeenSuperseded(database)
      )
    }
    guard faults == ["ok"] else {
      throw StoreError.damaged(file: location.path, reason: faults.first ?? "it can't be checked")
    }
    guard !isNewer else { throw StoreError.newerVersion(file: location.path) }
  }

  private static func copyFile(_ source: URL, to target: URL, byRoot: Bool) throws {
    unlink(target.path)
    let file = try OpenFile(source.path, O_RDONLY, byRoot: byRoot)
    let copy = try OpenFile(target.path, O_WRONLY | O_CREAT | O_EXCL)
    while true {
      let bytes = try file.read(1 << 20)
      guard !bytes.isEmpty else { break }
      try copy.write(bytes)
    }
    try copy.sync()
  }

  private static func move(_ fresh: URL, _ target: URL) throws {
    guard rename(fresh.path, target.path) == 0 else { throw FileError(path: target.path) }
  }

  private static func sync(_ folder: URL) throws {
    try OpenFile(folder.path, O_RDONLY).sync()
  }

  /// Moves what the write-ahead log has into the database, if it can be opened.
  private static func emptyLog(of database: URL) {
    guard let queue = try? DatabaseQueue(path: database.path) else { return }
    _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    try? queue.close()
  }
}
