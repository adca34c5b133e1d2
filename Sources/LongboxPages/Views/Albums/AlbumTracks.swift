// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What a quiz needs of an album: its titles, and whose it is.
public struct AlbumTracks: Equatable, Sendable {
  /// The album's name in its source.
  public var album: Text
  /// What it is called.
  public var name: Text
  /// The artist's name in the source, or empty where it is not one artist's.
  public var artist: Text
  /// What the artist is called.
  public var artistName: Text
  /// The titles of its tracks, in order.
  public var titles: [Text]

  /// Makes a list of tracks.
  public init(album: Text, name: Text, artist: Text, artistName: Text, titles: [Text]) {
    self.album = album
    self.name = name
    self.artist = artist
    self.artistName = artistName
    self.titles = titles
  }

  /// The tracks of an album in the store.
  public init(_ details: AlbumDetails) {
    self.init(
      album: details.album.id.text,
      name: details.album.name.full,
      artist: details.album.artistID?.text ?? .empty,
      artistName: details.album.artist,
      titles: details.tracks.tracks.map { $0.title }
    )
  }

  /// The album as a quiz takes it.
  var quizAlbum: QuizAlbum { QuizAlbum(id: album, name: name, titles: titles) }

  /// The albums of the same artist that the reader saved, in the order of the list of saved albums.
  private func saved(in library: Library) -> ArraySlice<SavedAlbum> {
    guard !artist.isEmpty else { return [] }
    return library.savedAlbums.filter { $0.artist == artistName }.prefix(QuizArtist.mostAlbums)
  }

  /// What has to be loaded to ask which of the artist's albums a track is on.
  func otherAlbums(in library: Library) -> [Need] {
    saved(in: library).filter { $0.id.text != album }.map { .storedAlbum($0.id, $0.country) }
  }

  /// The artist with the saved albums whose tracks are loaded; nothing where the album is not one artist's.
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
