// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import GRDB

/// Copies of the database from before its tables were upgraded, so that the previous version can be used again.
///
/// A copy is a whole SQLite database without pictures, named after its last migration: `schema-015.sqlite`. The last two
/// are kept.
struct UpgradeBackups {
  /// The number of copies that are kept.
  private static let kept = 2
  /// The ending of the copy while its upgrade is under way.
  private static let underWay = "upgrading"

  private let folder: URL

  init(_ place: StorePlace) {
    folder = place.folder.appending(path: "upgrades", directoryHint: .isDirectory)
  }

  /// Upgrades a database, after a copy of it was made; a fresh or current database gets none.
  ///
  /// After an interrupted upgrade no new copy is made: the first one has the database as it was before any change.
  /// - Throws: an error of the copy, which leaves the database as it was, or of a migration.
  func upgrade(_ pool: DatabasePool, by migrator: DatabaseMigrator) throws {
    let (last, isCurrent) = try pool.read { database in
      (try migrator.appliedMigrations(database).last, try migrator.hasCompletedMigrations(database))
    }
    guard let last else { return try migrator.migrate(pool) }
    guard !isCurrent else {
      // The last process may have ended after the migrations, before the copy had its name. Usually there is no folder.
      for copy in (try? names(ending: Self.underWay)) ?? [] { try finish(copy) }
      return
    }
    try Folder.make(folder)
    let schema = "schema-\(last.prefix(3))"
    let interrupted = try names(ending: Self.underWay).first { $0 < "\(schema).\(Self.underWay)" }
    let copy = interrupted ?? "\(schema).\(Self.underWay)"
    if interrupted == nil { try self.copy(pool, to: folder.appending(path: copy)) }
    try migrator.migrate(pool)
    try finish(copy)
  }

  /// Gives a copy its name after the upgrade, and removes older ones.
  private func finish(_ copy: String) throws {
    let name = folder.appending(path: copy).deletingPathExtension().appendingPathExtension("sqlite")
    guard rename(folder.appending(path: copy).path, name.path) == 0 else {
      throw FileError(path: name.path)
    }
    try prune(butFor: name.lastPathComponent)
  }

  /// Copies the database into a private file, and waits until it is on the disk.
  private func copy(_ pool: DatabasePool, to location: URL) throws {
    let unfinished = location.appendingPathExtension("unfinished")
    defer { unlink(unfinished.path) }
    // What a killed process left behind.
    unlink(unfinished.path)
    _ = try OpenFile(unfinished.path, O_RDWR | O_CREAT | O_EXCL)
    let target = try DatabaseQueue(path: unfinished.path)
    try pool.backup(to: target)
    // The copy is one file, without a log beside it.
    try target.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
    try target.close()
    try OpenFile(unfinished.path, O_RDONLY).sync()
    guard rename(unfinished.path, location.path) == 0 else { throw FileError(path: location.path) }
    try OpenFile(folder.path, O_RDONLY).sync()
  }

  /// Removes all copies but this one and those that were made last.
  private func prune(butFor name: String) throws {
    func date(_ name: String) -> Date {
      let facts = try? FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
      return facts?[.modificationDate] as? Date ?? .distantPast
    }
    let others = try names(ending: "sqlite").filter { $0 != name }.sorted { date($0) > date($1) }
    for old in others.dropFirst(Self.kept - 1) { unlink(folder.appending(path: old).path) }
  }

  private func names(ending: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasPrefix("schema-") && $0.hasSuffix(".\(ending)")
    }
  }
}

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
        try Migration.sqlite.hasBeenSuperseded(database)
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
