// Longbox
// SPDX-License-Identifier: MIT

/// An album with its tracks.
public struct AlbumDetails: Equatable, Sendable {
  /// The album.
  public var album: Album
  /// Its tracks, with the gaps.
  public var tracks: TrackList
  /// How many tracks of any kind the store gave, where it has more of them and gives only so many at once.
  public var givenCount: Int?

  /// Puts both together.
  public init(album: Album, tracks: TrackList, givenCount: Int? = nil) {
    self.album = album
    self.tracks = tracks
    self.givenCount = givenCount
  }
}
