// Longbox
// SPDX-License-Identifier: MIT

/// A recording artist as the store lists them.
public struct Artist: Equatable, Sendable {
  /// The store's number of the artist.
  public var id: StoreID
  /// The name, in any script.
  public var name: Text
  /// The genre in the language of the country's store, or empty.
  public var genre: Text

  /// Creates an artist.
  public init(id: StoreID, name: Text, genre: Text = .empty) {
    self.id = id
    self.name = name
    self.genre = genre
  }
}
