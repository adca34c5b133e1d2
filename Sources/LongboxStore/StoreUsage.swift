// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB

/// How much a store holds.
public struct StoreUsage: Hashable, Sendable {
  /// The number of the comics.
  public var comics = 0
  /// The bytes of the database file.
  public var database = 0
  /// The bytes of the database's write-ahead log.
  public var log = 0
  /// The pictures of comics.
  public var pictures = PictureTotals()
  /// The covers of albums.
  public var covers = PictureTotals()
  /// The number of readers' libraries.
  public var libraries = 0
  /// The bytes of the libraries.
  public var libraryBytes = 0
  /// The number of browsers that get notifications.
  public var subscriptions = 0
  /// How many of them the last message didn't reach.
  public var failingSubscriptions = 0

  /// The bytes of everything.
  public var bytes: Int { database + log + pictures.bytes + covers.bytes }
}

extension Store {
  /// Counts what is stored.
  public func usage() async throws(StoreError) -> StoreUsage {
    let totals = try await pictureTotals()
    let database = place.database.path
    return try await read { connection in
      func count(_ sql: String) throws -> Int { try Int.fetchOne(connection, sql: sql) ?? 0 }
      func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
      }
      var usage = StoreUsage()
      usage.comics = try ComicTable(database: connection).count()
      usage.database = size(database)
      usage.log = size(database + "-wal")
      usage.pictures = totals
      let covers = try AlbumTable(database: connection).artworkFiles()
      usage.covers = PictureTotals(files: covers.count, bytes: covers.reduce(0) { $0 + $1.byteCount })
      usage.libraries = try LibraryTable(database: connection).count()
      usage.libraryBytes = try count("SELECT coalesce(sum(byteCount), 0) FROM library")
      usage.subscriptions = try count("SELECT count(*) FROM subscription")
      usage.failingSubscriptions = try count("SELECT count(*) FROM subscription WHERE failure IS NOT NULL")
      return usage
    }
  }
}
