// Longbox
// SPDX-License-Identifier: MIT

/// An album as the store sells it: the whole record, or an EP, or a single.
public struct Album: Equatable, Sendable {
  /// What the store says of its words.
  public enum Explicitness: Equatable, Sendable {
    /// They are not for children.
    case explicit
    /// It is the cleaned copy of such an album.
    case cleaned
    /// Neither.
    case notExplicit
  }

  /// The store's number of the album.
  public var id: StoreID
  /// The store's number of the artist; nothing where it sells the album under no one's name.
  public var artistID: StoreID?
  /// Who made it, as the store writes it; it may be a joint name.
  public var artist: Text
  /// The name as the store writes it, edition and all.
  public var name: AlbumName
  /// The day of the first release, where it is known; reissues often have the old one, and not always.
  public var released: CalendarDate?
  /// How many tracks the store counts, videos and booklets among them; 0 where it doesn't say.
  public var trackCount: Int
  /// What kind of music.
  public var genre: Text
  /// Who owns the recording.
  public var copyright: Text
  /// What the store says of its words.
  public var explicitness: Explicitness
  /// The address of the cover at 100 pixels, or empty.
  public var artworkAddress: Text
  /// The address of the album's page in the store, or empty.
  public var storeAddress: Text
  /// Whose store says all this.
  public var country: StoreCountry

  /// Makes an album; what is left out is unknown.
  public init(
    id: StoreID,
    artistID: StoreID? = nil,
    artist: Text,
    name: Text,
    released: CalendarDate? = nil,
    trackCount: Int = 0,
    genre: Text = .empty,
    copyright: Text = .empty,
    explicitness: Explicitness = .notExplicit,
    artworkAddress: Text = .empty,
    storeAddress: Text = .empty,
    country: StoreCountry = .unitedStates
  ) {
    self.id = id
    self.artistID = artistID
    self.artist = artist
    self.name = AlbumName(name)
    self.released = released
    self.trackCount = trackCount
    self.genre = genre
    self.copyright = copyright
    self.explicitness = explicitness
    self.artworkAddress = artworkAddress
    self.storeAddress = storeAddress
    self.country = country
  }

  /// What it is, as far as the store's own words tell.
  public var kind: AlbumKind {
    let kind = name.kind
    return kind == .album && FoldedName(artist) == FoldedName("Various Artists") ? .compilation : kind
  }
}
