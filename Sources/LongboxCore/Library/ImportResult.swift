// Longbox
// SPDX-License-Identifier: MIT

/// What an import of a library document added to a library.
public struct ImportResult: Equatable, Sendable {
  /// Comics that became favorites.
  public var favoritesAdded = 0
  /// Favorites of the file that existed before.
  public var favoritesPresent = 0
  /// Notes added to favorites without one.
  public var notesAdded = 0
  /// Comics that became read.
  public var comicsRead = 0
  /// Settings that the reader hadn't changed.
  public var settingsTaken = 0
  /// Saved entries that were missing.
  public var savedTaken = 0
  /// Whether the reading position was taken from the file.
  public var isPlaceTaken = false
  /// Numbers of a list that aren't comics.
  public var unknownNumbers: [Int] = []

  /// Makes an empty result.
  public init() {}
}
