// Longbox
// SPDX-License-Identifier: MIT

/// A song of an album.
public struct Track: Equatable, Sendable {
  /// The store's number of the track.
  public var id: StoreID
  /// The disc it stands on, from 1.
  public var disc: Int
  /// Its place on the disc, from 1.
  public var number: Int
  /// The title.
  public var title: Text
  /// How long it is, in milliseconds; 0 where the store doesn't say.
  public var milliseconds: Int
  /// Who plays it, where that is not whose album it is; else empty.
  public var artist: Text

  /// Makes a track.
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
