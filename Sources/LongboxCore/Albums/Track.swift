// Longbox
// SPDX-License-Identifier: MIT

/// A song of an album.
public struct Track: Equatable, Sendable {
  /// The store's number of the track.
  public var id: StoreID
  /// The disc number, from 1.
  public var disc: Int
  /// The track number on the disc, from 1.
  public var number: Int
  /// The title.
  public var title: Text
  /// The duration in milliseconds; 0 if unknown.
  public var milliseconds: Int
  /// The performer if different from the album's artist, else empty.
  public var artist: Text

  /// Creates a track.
  public init(
    id: StoreID,
    disc: Int = 1,
    number: Int,
    title: Text,
    milliseconds: Int = 0,
    artist: Text = .empty
  ) {
    self.id = id
    self.disc = disc
    self.number = number
    self.title = title
    self.milliseconds = milliseconds
    self.artist = artist
  }
}
