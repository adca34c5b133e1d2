// Longbox
// SPDX-License-Identifier: MIT

extension QuizAlbum {
  /// An album of the store, with the tracks that are sold.
  public init(_ details: AlbumDetails) {
    self.init(
      id: details.album.id.text,
      name: details.album.name.full,
      titles: details.tracks.tracks.map { $0.title }
    )
  }
}

extension QuizArtist {
  /// The most albums of an artist to choose from; a reader who saved more gets the first of them.
  public static var mostAlbums: Int { 20 }
}
