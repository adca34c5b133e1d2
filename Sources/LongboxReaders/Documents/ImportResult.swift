// Longbox
// SPDX-License-Identifier: MIT

/// What an import added to a library.
public struct ImportResult: Equatable, Sendable {
  /// Comics that are favorites now and were not.
  public var favoritesAdded = 0
  /// Favorites of the file that were there already.
  public var favoritesPresent = 0
  /// Notes that favorites have now and had not.
  public var notesAdded = 0
  /// Comics that count as read now and did not.
  public var comicsRead = 0
  /// Settings that the reader had not made.
  public var settingsTaken = 0
  /// Saved things that were not there.
  public var savedTaken = 0
  /// Whether the reader goes on where the file says.
  public var isPlaceTaken = false
  /// Numbers of a list that are no comic's.
  public var strangers: [Int] = []
}
