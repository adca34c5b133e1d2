// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// When comics changed, and the feeds of readers' favorites.
public struct FeedStore: Sendable {
  let store: Store

  /// Notes that stored comics look different now; others are ignored.
  public func noteChanges(of numbers: [Comic.Number], at date: Date) async throws(StoreError) {
    try await store.write { tables in try tables.feeds.noteChanges(of: numbers, at: date) }
  }

  /// When comics last changed, to the second; comics that never changed are left out.
  public func changeDates(of numbers: [Comic.Number]) async throws(StoreError) -> [Comic.Number: Date] {
    try await store.read { tables in try tables.feeds.changeDates(of: numbers) }
  }

  /// The feed with a token, or nil.
  public func favoritesFeed(_ token: String) async throws(StoreError) -> FavoritesFeed? {
    try await store.read { tables in try tables.feeds.favoritesFeed(token) }
  }

  /// The feeds of a library, the oldest first; there are several only if paired libraries each had one.
  public func favoritesFeeds(of library: LibraryName) async throws(StoreError) -> [FavoritesFeed] {
    try await store.readSnapshot { tables in
      let home = try tables.libraries.home(of: library) ?? library
      return try tables.feeds.favoritesFeeds(of: home)
    }
  }

  /// Stores a feed and removes the library's other feeds.
  public func saveFavoritesFeed(_ feed: FavoritesFeed) async throws(StoreError) {
    try await store.write { tables in
      let home = try tables.libraries.home(of: feed.library) ?? feed.library
      // Otherwise two calls at the same time would each leave a feed.
      try tables.libraries.lock([home])
      let table = tables.feeds
      try table.removeFavoritesFeeds(of: home)
      try table.insert(FavoritesFeed(token: feed.token, library: home, createdAt: feed.createdAt))
    }
  }

  /// Removes all feeds of a library; their addresses stop working.
  public func removeFavoritesFeeds(of library: LibraryName) async throws(StoreError) {
    try await store.write { tables in
      let home = try tables.libraries.home(of: library) ?? library
      try tables.feeds.removeFavoritesFeeds(of: home)
    }
  }
}
