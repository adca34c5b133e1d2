// Longbox
// SPDX-License-Identifier: MIT

/// An artist's albums, with the copies of one album put together.
public struct Discography: Equatable, Sendable {
  /// An album with its other copies: cleaned of explicit words, or with another number of tracks.
  public struct Entry: Equatable, Sendable {
    /// The copy that is shown.
    public var album: Album
    /// The others.
    public var copies: [Album]
  }

  /// Whose albums they are; nothing where the store told of albums only.
  public let artist: Artist?
  /// The albums, the newest first; what has no date comes last.
  public let entries: [Entry]

  /// Puts copies together and orders the albums.
  /// - Parameters:
  ///   - artist: whose albums they are.
  ///   - albums: in any order.
  ///   - prefersClean: whether of an explicit and a cleaned copy the cleaned one is shown.
  public init(artist: Artist?, albums: [Album], prefersClean: Bool = false) {
    self.artist = artist
    var entries: [Entry] = []
    var names: [FoldedName] = []
    for album in albums {
      let name = FoldedName(album.name.full)
      var place = 0
      while place < entries.count {
        let other = entries[place].album
        if other.artistID == album.artistID, other.released?.year == album.released?.year,
          names[place] == name
        {
          break
        }
        place += 1
      }
      if place == entries.count {
        entries.append(Entry(album: album, copies: []))
        names.append(name)
      } else if Self.precedes(album, entries[place].album, prefersClean) {
        entries[place].copies.append(entries[place].album)
        entries[place].album = album
      } else if entries[place].album.id != album.id {
        entries[place].copies.append(album)
      }
    }
    let all = entries
    let places = orderedPlaces(all.count) { left, right in
      switch (all[left].album.released, all[right].album.released) {
      case (let left?, let right?): left > right
      case (_?, nil): true
      default: false
      }
    }
    self.entries = places.map { all[$0] }
  }

  /// Whether of two copies the first is to be shown: the one with the words that are wanted, then the one with more tracks.
  private static func precedes(_ album: Album, _ other: Album, _ prefersClean: Bool) -> Bool {
    let unwanted = prefersClean ? Album.Explicitness.explicit : .cleaned
    let (isUnwanted, isOtherUnwanted) = (album.explicitness == unwanted, other.explicitness == unwanted)
    guard isUnwanted == isOtherUnwanted else { return isOtherUnwanted }
    return album.trackCount > other.trackCount
  }
}
