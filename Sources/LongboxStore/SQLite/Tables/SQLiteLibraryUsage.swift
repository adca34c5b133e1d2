// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

/// How the libraries of a store are used: their sizes, whether their readers came back, and which are abandoned.
struct SQLiteLibraryUsage {
  let database: Database
  /// The data folder, whose disk has the free space.
  let folder: URL?
  let total: LibraryTotal

  /// Migration 014; it has shipped, so it is frozen.
  ///
  /// Libraries that exist already count as used. `idleDays` counts days on which the server ran, so a clock that
  /// jumps removes nothing.
  static func addColumns(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE library ADD COLUMN createdOn INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE library ADD COLUMN isEstablished INTEGER NOT NULL DEFAULT 1 CHECK (isEstablished IN (0, 1));
        ALTER TABLE library ADD COLUMN idleDays INTEGER NOT NULL DEFAULT 0 CHECK (idleDays >= 0);
        ALTER TABLE library ADD COLUMN byteCount INTEGER NOT NULL DEFAULT 0 CHECK (byteCount >= 0);
        CREATE TABLE libraryExpiry (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          day INTEGER NOT NULL
        ) STRICT;
        ALTER TABLE subscription ADD COLUMN hasReceived INTEGER NOT NULL DEFAULT 1 CHECK (hasReceived IN (0, 1));
        """
    )
  }

  /// What is known of a library before a change, together with the one that is merged into it.
  struct Standing {
    let byteCount: Int
    /// The day on which the library is new; 0 if its reader has signed in, or if it is older than the column.
    let createdOn: Int
    let isNew: Bool
  }

  /// Checks the quota, before anything is written.
  /// - Throws: `StoreError.quota`.
  func check(_ change: LibraryChange, within quota: LibraryQuota) throws -> Standing {
    let (size, name) = (change.replica.library.size, Data(change.name.bytes))
    let leaving = change.leaving.map { Data($0.bytes) }
    let select = try database.cachedStatement(
      sql: """
        SELECT coalesce(min(createdOn), ?) AS createdOn, coalesce(sum(byteCount), 0) AS byteCount
          FROM library WHERE name IN (?, ?)
        """
    )
    guard let row = try Row.fetchOne(select, arguments: [change.day, name, leaving]) else {
      throw StoreError.conflict
    }
    let byteCount: Int = try row.value("byteCount")
    let createdOn = try change.isSignedIn ? 0 : row.value("createdOn") as Int
    let isNew = createdOn == change.day
    if size > byteCount {
      if isNew, size > quota.newLibrary { throw StoreError.quota(.newLibrary) }
      if isNew, quota.freeSpace > 0, let free = freeSpace, free < quota.freeSpace {
        throw StoreError.quota(.freeSpace)
      }
      let limit = isNew ? quota.allLibraries : quota.allLibrariesInUse
      let room = try total.room(upTo: limit, reading: self.byteCount)
      if size - byteCount > room { throw StoreError.quota(.allLibraries) }
    }
    return Standing(byteCount: byteCount, createdOn: createdOn, isNew: isNew)
  }

  /// Notes that a library was written.
  func note(_ change: LibraryChange, after standing: Standing) throws {
    let size = change.replica.library.size
    try database.cachedStatement(
      sql: """
        UPDATE library SET byteCount = ?, isEstablished = ?, idleDays = 0, createdOn = ? WHERE name = ?
        """
    )
    .execute(arguments: [size, !standing.isNew, standing.createdOn, Data(change.name.bytes)])
    total.add(size - standing.byteCount)
  }

  /// The bytes of all libraries.
  func byteCount() throws -> Int {
    let select = try database.cachedStatement(sql: "SELECT coalesce(sum(byteCount), 0) FROM library")
    return try Int.fetchOne(select) ?? 0
  }

  /// The bytes that the disk of the data folder has left for this user; nil if that is unknown.
  private var freeSpace: Int? {
    var status = statvfs()
    guard let folder, statvfs(folder.path, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }

  /// Counts one more day without use for every library, and removes those over the limit; at most once a day.
  ///
  /// A library with a subscription or a feed stays if it was used on two days. Feeds without a library are removed.
  /// - Parameters:
  ///   - idleDays: the days after which a used library is removed; 0 for never.
  ///   - unusedDays: the days after which a library is removed that was never used again; 0 for never.
  ///   - date: now.
  /// - Returns: the names of the removed libraries.
  func expire(idleDays: Int, unusedDays: Int, at date: Date) throws -> [LibraryName] {
    let today = LibraryChange.day(of: date)
    let last = try Int.fetchOne(database, sql: "SELECT day FROM libraryExpiry")
    guard last != today else { return [] }
    try database.execute(
      sql:
        "INSERT INTO libraryExpiry (id, day) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET day = excluded.day",
      arguments: [today]
    )
    try database.execute(sql: "UPDATE library SET idleDays = idleDays + 1")
    let names = try Data.fetchAll(
      database,
      sql: """
        DELETE FROM library WHERE idleDays > iif(isEstablished, :idle, :unused)
          AND (changedAt / 86400 = createdOn OR name NOT IN (
            SELECT coalesce(home, library) FROM (
              SELECT library FROM favoritesFeed
              UNION SELECT library FROM subscription WHERE library IS NOT NULL
            ) LEFT JOIN libraryAlias ON libraryAlias.name = library
          ))
        RETURNING name
        """,
      arguments: [
        "idle": idleDays > 0 ? idleDays : Int.max, "unused": unusedDays > 0 ? unusedDays : Int.max,
      ]
    )
    try database.execute(
      sql: """
        DELETE FROM libraryAlias WHERE home NOT IN (SELECT name FROM library);
        DELETE FROM favoritesFeed
          WHERE library NOT IN (SELECT name FROM library UNION ALL SELECT name FROM libraryAlias);
        """
    )
    return names.map { LibraryName(bytes: [UInt8]($0)) }
  }
}
