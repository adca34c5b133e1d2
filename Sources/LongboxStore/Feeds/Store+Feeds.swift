// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

extension Store {
  /// Notes that comics are shown otherwise than before; those that are not stored are passed over.
  public func noteChanges(of numbers: [Comic.Number], at date: Date) async throws(StoreError) {
    try await write { database in try FeedTable(database: database).noteChanges(of: numbers, at: date) }
  }

  /// When comics were last changed, to the second; those that never were since they came have no date.
  public func changeDates(of numbers: [Comic.Number]) async throws(StoreError) -> [Comic.Number: Date] {
    try await read { database in try FeedTable(database: database).changeDates(of: numbers) }
  }

  /// The feed whose address has a token, or nothing.
  public func favoritesFeed(_ token: String) async throws(StoreError) -> FavoritesFeed? {
    try await read { database in try FeedTable(database: database).favoritesFeed(token) }
  }

  /// The feeds of a library, the oldest first: more than one only where libraries were paired that each had one.
  public func favoritesFeeds(of library: LibraryName) async throws(StoreError) -> [FavoritesFeed] {
    try await read { database in
      let home = try LibraryTable(database: database).home(of: library) ?? library
      return try FeedTable(database: database).favoritesFeeds(of: home)
    }
  }

  /// Keeps a feed in the place of all that its library had.
  public func saveFavoritesFeed(_ feed: FavoritesFeed) async throws(StoreError) {
    try await write { database in
      let home = try LibraryTable(database: database).home(of: feed.library) ?? feed.library
      let table = FeedTable(database: database)
      try table.removeFavoritesFeeds(of: home)
      try table.insert(FavoritesFeed(token: feed.token, library: home, createdAt: feed.createdAt))
    }
  }

  /// Removes all feeds of a library: their addresses work no longer.
  public func removeFavoritesFeeds(of library: LibraryName) async throws(StoreError) {
    try await write { database in
      let home = try LibraryTable(database: database).home(of: library) ?? library
      try FeedTable(database: database).removeFavoritesFeeds(of: home)
    }
  }
}
