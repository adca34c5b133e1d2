// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// When comics changed, and the addresses of favorites.
protocol FeedTable {
  func noteChanges(of numbers: [Comic.Number], at date: Date) throws
  func changeDates(of numbers: [Comic.Number]) throws -> [Comic.Number: Date]
  func favoritesFeed(_ token: String) throws -> FavoritesFeed?

  /// The feeds of a library and of those paired with it.
  func favoritesFeeds(of library: LibraryName) throws -> [FavoritesFeed]
  func insert(_ feed: FavoritesFeed) throws
  func removeFavoritesFeeds(of library: LibraryName) throws
}
