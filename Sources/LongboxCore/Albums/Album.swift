// Longbox
// SPDX-License-Identifier: MIT

/// An album as the store sells it: an album, an EP or a single.
public struct Album: Equatable, Sendable {
  /// The store's advisory label for the lyrics.
  public enum Explicitness: Equatable, Sendable {
    /// Explicit lyrics.
    case explicit
    /// A cleaned version of an explicit album.
    case cleaned
    /// No label.
    case notExplicit
  }

  /// The store's number of the album.
  public var id: StoreID
  /// The store's number of the artist, or nil for albums listed under no single artist.
  public var artistID: StoreID?
  /// The artist's name as the store writes it; may name several artists.
  public var artist: Text
  /// The name as the store writes it, with the edition.
  public var name: AlbumName
  /// The date of the first release, if known; reissues often have the original date, but not always.
  public var released: CalendarDate?
  /// The store's track count, including videos and booklets; 0 if unknown.
  public var trackCount: Int
  /// The genre.
  public var genre: Text
  /// The copyright notice.
  public var copyright: Text
  /// The store's advisory label for the lyrics.
  public var explicitness: Explicitness
  /// The address of the cover at 100 pixels, or empty.
  public var artworkAddress: Text
  /// The address of the album's page in the store, or empty.
  public var storeAddress: Text
  /// The country of the store that the data comes from.
  public var country: StoreCountry

  /// Creates an album; omitted values are unknown.
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

  /// The kind of album, derived from the name and the artist.
  public var kind: AlbumKind {
    let kind = name.kind
    return kind == .album && FoldedName(artist) == FoldedName("Various Artists") ? .compilation : kind
  }
}
