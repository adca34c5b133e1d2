// Longbox
// SPDX-License-Identifier: MIT

/// An album as the store sells it: an album, an EP or a single.
public struct Album: Equatable, Sendable {
  /// The store's advisory label for the lyrics.
  public enum Explicitness: Equatable, Sendable {
    case explicit
    /// A cleaned version of an explicit album.
    case cleaned
    /// No label.
    case notExplicit
  }

  /// The store's number of the album.
  public var id: StoreID
  /// The store's number of the artist, or nil for albums listed under no single artist.
  public var artistID: StoreID?
  /// The artist's name as the store writes it; may name several artists.
  public var artist: Text
  /// The name as the store writes it, with the edition.
  public var name: AlbumName
  /// The date of the first release, if known; reissues often have the original date, but not always.
  public var released: CalendarDate?
  /// The store's track count, including videos and booklets; 0 if unknown.
  public var trackCount: Int
  public var genre: Text
  public var copyright: Text
  /// The store's advisory label for the lyrics.
  public var explicitness: Explicitness
  /// The address of the cover at 100 pixels, or empty.
  public var artworkAddress: Text
  /// The address of the album's page in the store, or empty.
  public var storeAddress: Text
  /// The country of the store that the data comes from.
  public var country: StoreCountry

  /// Creates an album; omitted values are unknown.
  public init(
    id: StoreID,
    artistID: StoreID? = nil,
    artist: Text,
    name: Text,
    released: CalendarDate? = nil,
    trackCount: Int = 0,
    genre: Text = .empty,
    copyright: Text = .empty,
    explicitness: Explicitness = .notExplicit,
    artworkAddress: Text = .empty,
    storeAddress: Text = .empty,
    country: StoreCountry = .unitedStates
  ) {
    self.id = id
    self.artistID = artistID
    self.artist = artist
    self.name = AlbumName(name)
    self.released = released
    self.trackCount = trackCount
    self.genre = genre
    self.copyright = copyright
    self.explicitness = explicitness
    self.artworkAddress = artworkAddress
    self.storeAddress = storeAddress
    self.country = country
  }

  /// The kind of album, derived from the name and the artist.
  public var kind: AlbumKind {
    let kind = name.kind
    return kind == .album && FoldedName(artist) == FoldedName("Various Artists") ? .compilation : kind
  }
}

public enum AlbumKind: CaseIterable, Equatable, Sendable {
  /// A studio album.
  case album
  case ep
  /// A single, possibly with further tracks.
  case single
  /// A live recording.
  case live
  /// A compilation of earlier recordings.
  case compilation
}

/// An album with its tracks.
public struct AlbumDetails: Equatable, Sendable {
  public var album: Album
  /// The tracks in order, with the gaps.
  public var tracks: TrackList
  /// The number of items the store returned, if it truncated the list.
  public var givenCount: Int?

  public init(album: Album, tracks: TrackList, givenCount: Int? = nil) {
    self.album = album
    self.tracks = tracks
    self.givenCount = givenCount
  }
}

/// The store's number of an artist, album or track; the same in all countries.
public struct StoreID: Hashable, Sendable {
  /// The number, from 1 to 2^53 - 1, which JSON readers represent exactly.
  public let value: UInt64

  /// Creates a number; nil if it is out of range.
  public init?(_ value: UInt64) {
    guard value >= 1, value < 1 << 53 else { return nil }
    self.value = value
  }

  /// Parses decimal digits as in an address, without leading zeros.
  public init?(_ text: Text) {
    guard (1...16).contains(text.count), text.bytes.first != UInt8(ascii: "0") else { return nil }
    var value: UInt64 = 0
    for digit in text.bytes {
      guard digit.isASCIIDigit else { return nil }
      value = value &* 10 &+ UInt64(digit - UInt8(ascii: "0"))
    }
    self.init(value)
  }

  /// The number in decimal digits.
  public var text: Text {
    var digits: [UInt8] = []
    var rest = value
    while rest > 0 {
      digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    return Text(digits.reversed())
  }
}

/// The country of a store; catalogue and names differ between countries.
public struct StoreCountry: Hashable, Sendable {
  /// The letters of the ISO 3166-1 alpha-2 code, in lower case.
  private let first: UInt8
  private let second: UInt8

  /// Parses two letters of either case; nil if the text is anything else.
  ///
  /// It doesn't check whether the country has a store.
  public init?(_ text: Text) {
    let letters = Array(text.bytes)
    guard letters.count == 2, letters[0].isASCIILetter, letters[1].isASCIILetter else { return nil }
    first = letters[0].lowercasedASCII
    second = letters[1].lowercasedASCII
  }

  private init(known text: StaticString) {
    let letters = text.utf8Bytes
    first = letters[0]
    second = letters[1]
  }

  /// The default country.
  public static var unitedStates: StoreCountry { StoreCountry(known: "us") }

  /// The two letters in lower case.
  public var text: Text { Text([first, second]) }
}
