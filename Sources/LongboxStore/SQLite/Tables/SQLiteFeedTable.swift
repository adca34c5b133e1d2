// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

/// The SQL about feeds: when comics changed, and the addresses of favorites.
struct SQLiteFeedTable: FeedTable {
  let database: Database

  func noteChanges(of numbers: [Comic.Number], at date: Date) throws {
    let upsert = try database.cachedStatement(
      sql: """
        INSERT INTO comicChange (number, changedAt) SELECT number, ?1 FROM comic WHERE number = ?2
        ON CONFLICT (number) DO UPDATE SET changedAt = excluded.changedAt
        """
    )
    for number in numbers { try upsert.execute(arguments: [date.seconds, number.value]) }
  }

  func changeDates(of numbers: [Comic.Number]) throws -> [Comic.Number: Date] {
    let select = try database.cachedStatement(sql: "SELECT changedAt FROM comicChange WHERE number = ?")
    var dates: [Comic.Number: Date] = [:]
    for number in numbers {
      guard let seconds = try Int64.fetchOne(select, arguments: [number.value]) else { continue }
      dates[number] = Date(seconds: seconds)
    }
    return dates
  }

  func favoritesFeed(_ token: String) throws -> FavoritesFeed? {
    let sql = "SELECT * FROM favoritesFeed WHERE token = ?"
    return try Row.fetchOne(database, sql: sql, arguments: [token]).map(Self.feed)
  }

  /// The feeds of a library and of those paired with it.
  func favoritesFeeds(of library: LibraryName) throws -> [FavoritesFeed] {
    try Row.fetchAll(
      database,
      sql: "SELECT * FROM favoritesFeed WHERE \(Self.isOfLibrary) ORDER BY createdAt, token",
      arguments: ["library": Data(library.bytes)]
    )
    .map(Self.feed)
  }

  func insert(_ feed: FavoritesFeed) throws {
    try database.execute(
      sql: "INSERT INTO favoritesFeed (token, library, createdAt) VALUES (?, ?, ?)",
      arguments: [feed.token, Data(feed.library.bytes), feed.createdAt.seconds]
    )
  }

  func removeFavoritesFeeds(of library: LibraryName) throws {
    try database.execute(
      sql: "DELETE FROM favoritesFeed WHERE \(Self.isOfLibrary)",
      arguments: ["library": Data(library.bytes)]
    )
  }

  private static let isOfLibrary =
    "(library = :library OR library IN (SELECT name FROM libraryAlias WHERE home = :library))"

  private static func feed(_ row: Row) throws -> FavoritesFeed {
    FavoritesFeed(
      token: try row.value("token"),
      library: LibraryName(bytes: try row.bytes("library")),
      createdAt: Date(seconds: try row.value("createdAt"))
    )
  }
}
