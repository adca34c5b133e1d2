// Longbox
// SPDX-License-Identifier: MIT

/// An album with its tracks.
public struct AlbumDetails: Equatable, Sendable {
  /// The album.
  public var album: Album
  /// Its tracks, with the gaps.
  public var tracks: TrackList

  /// Puts both together.
  public init(album: Album, tracks: TrackList) {
    self.album = album
    self.tracks = tracks
  }
}
