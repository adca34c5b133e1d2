// Longbox
// SPDX-License-Identifier: MIT

/// An album with its tracks.
public struct AlbumDetails: Equatable, Sendable {
  /// The album.
  public var album: Album
  /// The tracks in order, with the gaps.
  public var tracks: TrackList
  /// The number of items the store returned, if it truncated the list.
  public var givenCount: Int?

  /// Creates an album with its tracks.
  public init(album: Album, tracks: TrackList, givenCount: Int? = nil) {
    self.album = album
    self.tracks = tracks
    self.givenCount = givenCount
  }
}
