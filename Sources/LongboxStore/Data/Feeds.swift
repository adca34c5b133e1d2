// Longbox
// SPDX-License-Identifier: MIT

import Crypto
public import Foundation
public import struct LongboxCore.Comic

/// When comics changed, and the feeds of readers' favorites.
public struct FeedStore: Sendable {
  let store: Store

  /// Notes that stored comics look different now; others are ignored.
  public func noteChanges(of numbers: [Comic.Number], at date: Date) async throws(StoreError) {
    try await store.write { database in
      try database.change(
        """
        INSERT INTO comic_change (number, changed_at)
          SELECT number, $1 FROM comic WHERE number \(database.dialect.isIn("$2")) ORDER BY number
        ON CONFLICT (number) DO UPDATE SET changed_at = excluded.changed_at
        """,
        .init(date),
        .init(numbers)
      )
    }
  }

  /// When comics last changed, to the second; comics that never changed are left out.
  public func changeDates(of numbers: [Comic.Number]) async throws(StoreError) -> [Comic.Number: Date] {
    try await store.read { database in
      let dates = try database.rows(
        "SELECT number, changed_at FROM comic_change WHERE number \(database.dialect.isIn("$1"))",
        .init(numbers)
      ) { row in (try row.number(0), try row.date(1)) }
      return Dictionary(dates) { $1 }
    }
  }

  /// The feed with a token, or nil.
  public func favoritesFeed(_ token: String) async throws(StoreError) -> FavoritesFeed? {
    try await store.read { database in
      try database.first(
        "SELECT token, library, created_at FROM favorites_feed WHERE token = $1",
        .text(token),
        read: Self.feed
      )
    }
  }

  /// The feeds of a library, the oldest first; there are several only if paired libraries each had one.
  public func favoritesFeeds(of library: LibraryName) async throws(StoreError) -> [FavoritesFeed] {
    try await store.readSnapshot { database in
      let home = try database.libraries.home(of: library) ?? library
      return try database.rows(
        """
        SELECT token, library, created_at FROM favorites_feed WHERE \(Self.isOfLibrary)
        ORDER BY created_at, token
        """,
        .init(home),
        read: Self.feed
      )
    }
  }

  /// Stores a feed and removes the library's other feeds.
  public func saveFavoritesFeed(_ feed: FavoritesFeed) async throws(StoreError) {
    try await store.write { database in
      let home = try database.libraries.home(of: feed.library) ?? feed.library
      // Otherwise two calls at the same time would each leave a feed.
      try database.libraries.lock([home])
      try database.change("DELETE FROM favorites_feed WHERE \(Self.isOfLibrary)", .init(home))
      try database.change(
        "INSERT INTO favorites_feed (token, library, created_at) VALUES ($1, $2, $3)",
        .text(feed.token),
        .init(home),
        .init(feed.createdAt)
      )
    }
  }

  /// Removes all feeds of a library; their addresses stop working.
  public func removeFavoritesFeeds(of library: LibraryName) async throws(StoreError) {
    try await store.write { database in
      let home = try database.libraries.home(of: library) ?? library
      try database.change("DELETE FROM favorites_feed WHERE \(Self.isOfLibrary)", .init(home))
    }
  }

  /// Whether a feed is of the library $1, or of one that was paired with it.
  private static let isOfLibrary =
    "(library = $1 OR library IN (SELECT name FROM library_alias WHERE home = $1))"

  private static func feed(_ row: SQLRow) throws -> FavoritesFeed {
    FavoritesFeed(
      token: try row.text(0),
      library: LibraryName(bytes: try row.bytes(1)),
      createdAt: try row.date(2)
    )
  }
}

/// The feed of a reader's favorites; anyone with its address can read it.
public struct FavoritesFeed: Hashable, Sendable {
  /// The secret part of the address.
  public let token: String
  /// The library whose favorites it lists.
  public let library: LibraryName
  /// When the address was made.
  public let createdAt: Date

  /// Makes a feed.
  /// - Parameters:
  ///   - token: 16 to 64 random letters, digits, `-` or `_`.
  ///   - library: the library whose favorites it lists.
  ///   - createdAt: now.
  public init(token: String, library: LibraryName, createdAt: Date) {
    self.token = token
    self.library = library
    self.createdAt = createdAt
  }

  /// A permanent identifier that hides the token: a version 8 UUID (RFC 9562, section 5.8) from its SHA-256.
  public var identifier: UUID {
    var bytes = Array(SHA256.hash(data: Array(token.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
