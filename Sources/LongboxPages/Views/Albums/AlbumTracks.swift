// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The album data for a quiz: track titles and artist.
public struct AlbumTracks: Equatable, Sendable {
  /// The album's identifier.
  public var album: Text
  /// The album's name.
  public var name: Text
  /// The artist's identifier; empty if the album isn't by a single artist.
  public var artist: Text
  /// The artist's name.
  public var artistName: Text
  /// The track titles, in order.
  public var titles: [Text]

  /// Makes the data.
  public init(album: Text, name: Text, artist: Text, artistName: Text, titles: [Text]) {
    self.album = album
    self.name = name
    self.artist = artist
    self.artistName = artistName
    self.titles = titles
  }

  /// Makes the data from an album in the store.
  public init(_ details: AlbumDetails) {
    self.init(
      album: details.album.id.text,
      name: details.album.name.full,
      artist: details.album.artistID?.text ?? .empty,
      artistName: details.album.artist,
      titles: details.tracks.tracks.map { $0.title }
    )
  }

  /// The arrow to the artist's albums; nil if the album isn't by a single artist.
  func backToArtist(in country: StoreCountry?) -> BackLink? {
    StoreID(artist).map { BackLink(link: .discography($0, country, .all), name: "Back to " + artistName) }
  }

  var quizAlbum: QuizAlbum { QuizAlbum(id: album, name: name, titles: titles) }

  /// The reader's saved albums of the same artist, in the order of the saved list.
  private func saved(in library: Library) -> ArraySlice<SavedAlbum> {
    guard !artist.isEmpty else { return [] }
    return library.savedAlbums.filter { $0.artist == artistName }.prefix(QuizArtist.mostAlbums)
  }

  /// The needs of the quiz *Which album?*.
  func otherAlbums(in library: Library) -> [Need] {
    saved(in: library).filter { $0.id.text != album }.map { .storedAlbum($0.id, $0.country) }
  }

  /// The artist with the saved albums that are loaded; nil if the album isn't by a single artist.
  func quizArtist(in library: Library, loaded: Loaded) -> QuizArtist? {
    guard !artist.isEmpty else { return nil }
    let albums: [QuizAlbum] = saved(in: library).compactMap { saved in
      if saved.id.text == album { return quizAlbum }
      guard case .album(let page)? = loaded[.storedAlbum(saved.id, saved.country)], let other = page.tracks,
        other.artist == artist
      else { return nil }
      return other.quizAlbum
    }
    return QuizArtist(id: artist, name: artistName, albums: albums)
  }
}
