// Longbox
// SPDX-License-Identifier: MIT

extension QuizAlbum {
  /// Creates a quiz album from the store's album, with the tracks that are sold.
  public init(_ details: AlbumDetails) {
    self.init(
      id: details.album.id.text,
      name: details.album.name.full,
      titles: details.tracks.tracks.map { $0.title }
    )
  }
}

extension QuizArtist {
  /// The maximum number of an artist's albums in a quiz; of more saved albums the first ones count.
  public static var mostAlbums: Int { 20 }
}
