// Longbox
// SPDX-License-Identifier: MIT

import Foundation
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
