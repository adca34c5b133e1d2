// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

struct PostgresFeedTable: FeedTable {
  let session: PostgresSession

  func noteChanges(of numbers: [Comic.Number], at date: Date) throws {
    try session.execute(
      """
      INSERT INTO comic_change (number, changed_at)
        SELECT number, $1 FROM comic WHERE number = ANY($2) ORDER BY number
      ON CONFLICT (number) DO UPDATE SET changed_at = excluded.changed_at
      """,
      .init(date),
      .init(numbers)
    )
  }

  func changeDates(of numbers: [Comic.Number]) throws -> [Comic.Number: Date] {
    let rows = try session.execute(
      "SELECT number, changed_at FROM comic_change WHERE number = ANY($1)",
      .init(numbers)
    )
    return try Dictionary(rows.map { (try $0.number(0), try $0.date(1)) }) { $1 }
  }

  func favoritesFeed(_ token: String) throws -> FavoritesFeed? {
    try session.execute(
      "SELECT token, library, created_at FROM favorites_feed WHERE token = $1",
      .text(token)
    )
    .first.map(Self.feed)
  }

  func favoritesFeeds(of library: LibraryName) throws -> [FavoritesFeed] {
    try session.execute(
      """
      SELECT token, library, created_at FROM favorites_feed WHERE \(Self.isOfLibrary)
      ORDER BY created_at, token
      """,
      .init(library)
    )
    .map(Self.feed)
  }

  func insert(_ feed: FavoritesFeed) throws {
    try session.execute(
      "INSERT INTO favorites_feed (token, library, created_at) VALUES ($1, $2, $3)",
      .text(feed.token),
      .init(feed.library),
      .init(feed.createdAt)
    )
  }

  func removeFavoritesFeeds(of library: LibraryName) throws {
    try session.execute("DELETE FROM favorites_feed WHERE \(Self.isOfLibrary)", .init(library))
  }

  private static let isOfLibrary =
    "(library = $1 OR library IN (SELECT name FROM library_alias WHERE home = $1))"

  private static func feed(_ row: PostgresRow) throws -> FavoritesFeed {
    FavoritesFeed(
      token: try row.text(0),
      library: LibraryName(bytes: try row.bytes(1)),
      createdAt: try row.date(2)
    )
  }
}
