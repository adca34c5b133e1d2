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

  public init(id: StoreID, name: Text, genre: Text = .empty) {
    self.id = id
    self.name = name
    self.genre = genre
  }
}

/// An artist's albums, with the copies of each album grouped.
public struct Discography: Equatable, Sendable {
  /// An album with its other copies, such as a cleaned version or one with another number of tracks.
  public struct Entry: Equatable, Sendable {
    /// The copy to show.
    public var album: Album
    /// The other copies.
    public var copies: [Album]
  }

  /// The artist, or nil if the store returned only albums.
  public let artist: Artist?
  /// The albums, newest first; undated ones come last.
  public let entries: [Entry]

  /// Groups copies and orders the albums.
  /// - Parameters:
  ///   - artist: the artist of the albums.
  ///   - albums: the albums in any order.
  public init(artist: Artist?, albums: [Album]) {
    self.artist = artist
    var entries: [Entry] = []
    var names: [FoldedName] = []
    for album in albums {
      let name = FoldedName(album.name.full)
      var index = 0
      while index < entries.count {
        let other = entries[index].album
        if other.artistID == album.artistID, other.released?.year == album.released?.year,
          names[index] == name
        {
          break
        }
        index += 1
      }
      if index == entries.count {
        entries.append(Entry(album: album, copies: []))
        names.append(name)
      } else if Self.precedes(album, entries[index].album) {
        entries[index].copies.append(entries[index].album)
        entries[index].album = album
      } else if entries[index].album.id != album.id {
        entries[index].copies.append(album)
      }
    }
    let all = entries
    let order = sortedIndices(all.count) { left, right in
      switch (all[left].album.released, all[right].album.released) {
      case (let left?, let right?): left > right
      case (_?, nil): true
      default: false
      }
    }
    self.entries = order.map { all[$0] }
  }

  /// Whether the first of two copies is preferred: first the one that isn't cleaned, then the one with more tracks.
  private static func precedes(_ album: Album, _ other: Album) -> Bool {
    let (isCleaned, isOtherCleaned) = (album.explicitness == .cleaned, other.explicitness == .cleaned)
    guard isCleaned == isOtherCleaned else { return isOtherCleaned }
    return album.trackCount > other.trackCount
  }
}
