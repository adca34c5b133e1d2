// Longbox
// SPDX-License-Identifier: MIT

/// Somebody who makes albums, as the store knows them.
public struct Artist: Equatable, Sendable {
  /// The store's number.
  public var id: StoreID
  /// The name, in whatever script it has.
  public var name: Text
  /// What kind of music, in the words of the country's store; empty where it doesn't say.
  public var genre: Text

  /// Makes an artist.
  public init(id: StoreID, name: Text, genre: Text = .empty) {
    self.id = id
    self.name = name
    self.genre = genre
  }
}
