// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Artists and albums as JSON, in the API and at the command line.
public enum AlbumJSON {
  /// The artists that a search finds.
  public struct Artists: Codable, Equatable, Sendable {
    /// The country of the store that was asked.
    public var country: String
    /// The artists, the best match first.
    public var artists: [Artist]

    public init(_ artists: [LongboxCore.Artist], in country: StoreCountry) {
      self.country = country.text.description
      self.artists = artists.map { Artist($0) }
    }
  }

  public struct Artist: Codable, Equatable, Sendable {
    /// The store's number.
    public var id: UInt64
    /// The name, in any script.
    public var name: String
    /// The genre in the language of the country.
    public var genre: String?

    init(_ artist: LongboxCore.Artist) {
      id = artist.id.value
      name = artist.name.description
      genre = artist.genre.isEmpty ? nil : artist.genre.description
    }
  }

  /// An artist's albums.
  public struct Discography: Codable, Equatable, Sendable {
    /// The country of the store that was asked.
    public var country: String
    /// The artist, if the store names one.
    public var artist: Artist?
    /// The albums, newest first, each once.
    public var albums: [Album]

    public init(_ discography: LongboxCore.Discography, in country: StoreCountry) {
      self.country = country.text.description
      artist = discography.artist.map { Artist($0) }
      albums = discography.entries.map { Album($0.album) }
    }
  }

  public struct Album: Codable, Equatable, Sendable {
    /// The store's number.
    public var id: UInt64
    /// The name, with the edition.
    public var name: String
    public var artist: String
    /// The artist's number, unless the album is by several.
    public var artistID: UInt64?
    /// The day of the first release.
    public var released: String?
    public var year: Int?
    public var genre: String?
    public var country: String

    init(_ album: LongboxCore.Album) {
      id = album.id.value
      name = album.name.full.description
      artist = album.artist.description
      artistID = album.artistID?.value
      released = album.released?.iso8601.description
      year = album.released?.year
      genre = album.genre.isEmpty ? nil : album.genre.description
      country = album.country.text.description
    }
  }

  public struct Track: Codable, Equatable, Sendable {
    /// The disc, from 1.
    public var disc: Int
    /// The number on the disc, from 1.
    public var number: Int
    public var title: String
    /// The duration, if known.
    public var milliseconds: Int?
    /// The performer, if it is not the album's artist.
    public var artist: String?

    init(_ track: LongboxCore.Track) {
      disc = track.disc
      number = track.number
      title = track.title.description
      milliseconds = track.milliseconds > 0 ? track.milliseconds : nil
      artist = track.artist.isEmpty ? nil : track.artist.description
    }
  }

  /// An album with its songs.
  public struct Details: Codable, Equatable, Sendable {
    public var album: Album
    /// The songs in order.
    public var tracks: [Track]

    public init(_ details: AlbumDetails) {
      album = Album(details.album)
      tracks = details.tracks.tracks.map { Track($0) }
    }
  }
}
