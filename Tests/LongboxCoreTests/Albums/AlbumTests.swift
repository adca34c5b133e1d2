// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxCore

struct AlbumNameTests {
  @Test(arguments: [
    ("Reign in Blood", "Reign in Blood", "", AlbumKind.album),
    ("Overexposed - Single", "Overexposed", "", .single),
    ("Nightmare: Escape the ERA - EP", "Nightmare: Escape the ERA", "", .ep),
    ("Short Songs - ep", "Short Songs", "", .ep),
    ("A Night at the Tram (Deluxe Edition)", "A Night at the Tram", "Deluxe Edition", .album),
    ("Hello (Deluxe Version) [Remastered 2011]", "Hello", "Deluxe Version, Remastered 2011", .album),
    ("Weezer (Blue Album)", "Weezer (Blue Album)", "", .album),
    ("Tramlines (Live at the Depot)", "Tramlines (Live at the Depot)", "", .live),
    ("Live at Leeds", "Live at Leeds", "", .live),
    ("Live 1988", "Live 1988", "", .live),
    ("MTV Unplugged in New York", "MTV Unplugged in New York", "", .live),
    ("Live Through This", "Live Through This", "", .album),
    ("Alive", "Alive", "", .album),
    ("Greatest Hits, Vol. 2", "Greatest Hits, Vol. 2", "", .compilation),
    ("The Best of the Lamps", "The Best of the Lamps", "", .compilation),
    ("(Remastered)", "(Remastered)", "", .album),
    ("÷", "÷", "", .album),
    ("", "", "", .album),
  ])
  func `gives edition and kind`(name: String, base: String, edition: String, kind: AlbumKind) {
    let name = AlbumName(Text(string: name))
    #expect(name.base.description == base)
    #expect(name.edition.description == edition)
    #expect(name.kind == kind)
  }
}

struct DiscographyTests {
  private func album(
    _ id: UInt64,
    _ name: Text,
    _ year: Int,
    tracks: Int = 10,
    _ explicitness: Album.Explicitness = .notExplicit,
    artist: UInt64 = 7
  ) throws -> Album {
    Album(
      id: try #require(StoreID(id)),
      artistID: StoreID(artist),
      artist: "The Lamps",
      name: name,
      released: CalendarDate(year: year, month: 3, day: 2),
      trackCount: tracks,
      explicitness: explicitness
    )
  }

  @Test func `are sorted newest first, with the copies of an album together`() throws {
    let discography = Discography(
      artist: nil,
      albums: [
        try album(1, "Wick", 2001),
        try album(2, "FILAMENT", 2012, tracks: 12, .cleaned),
        try album(3, "Filament", 2012, tracks: 12, .explicit),
        try album(4, "Filament", 2012, tracks: 14, .explicit),
        try album(5, "Filament (Deluxe Edition)", 2012, tracks: 20, .explicit),
        try album(6, "Filament", 2019),
        try album(7, "Filament", 2012, artist: 8),
      ]
    )
    #expect(discography.entries.map(\.album.id.value) == [6, 4, 5, 7, 1])
    #expect(discography.entries[1].copies.map(\.id.value) == [2, 3])
  }

  @Test func `show the explicit copy rather than the cleaned one`() throws {
    let albums = [try album(2, "Filament", 2012, .explicit), try album(3, "Filament", 2012, .cleaned)]
    #expect(Discography(artist: nil, albums: albums).entries.map(\.album.id.value) == [2])
    #expect(Discography(artist: nil, albums: albums.reversed()).entries.map(\.album.id.value) == [2])
  }

  @Test func `come last without a date, and once when listed twice`() throws {
    var undated = try album(1, "Someday", 2000)
    undated.released = nil
    let wick = try album(2, "Wick", 2001)
    let entries = Discography(artist: nil, albums: [undated, wick, wick]).entries
    #expect(entries.map(\.album.id.value) == [2, 1])
    #expect(entries[0].copies.isEmpty)
  }
}

struct TrackListTests {
  private func track(_ disc: Int, _ number: Int) throws -> Track {
    let id = try #require(StoreID(UInt64(disc * 1_000 + number)))
    return Track(id: id, disc: disc, number: number, title: "A", milliseconds: 1_000)
  }

  private func shape(_ list: TrackList) -> [[Int]] {
    list.discs.map { disc in
      disc.positions.map { position in
        switch position {
        case .track(let track): track.number
        case .gap(let number): -number
        }
      }
    }
  }

  @Test func `is ordered by disc and number, with its gaps`() throws {
    let tracks = try [(2, 2), (1, 4), (1, 1), (2, 1), (1, 1)].map { try track($0.0, $0.1) }
    let list = TrackList(tracks, counts: [(disc: 1, tracks: 5), (disc: 2, tracks: 2)])
    #expect(shape(list) == [[1, -2, -3, 4, -5], [1, 2]])
    #expect(list.gapCount == 3)
    #expect(list.milliseconds == 4_000)
  }

  @Test func `has no gap at the number of a video`() throws {
    let list = TrackList(
      [try track(1, 1), try track(1, 3)],
      counts: [(disc: 1, tracks: 4)],
      taken: [(disc: 1, number: 2)]
    )
    #expect(shape(list) == [[1, 3, -4]])
  }

  @Test func `ignores impossible numbers`() throws {
    let list = TrackList(
      [try track(1, 1), try track(0, 1), try track(1, 5_000), try track(1_000, 1)],
      counts: [(disc: 1, tracks: 2_000_000_000)]
    )
    #expect(shape(list) == [[1]])
  }
}

struct StoreIDTests {
  @Test(arguments: [
    ("1", true), ("1440857781", true), ("0", false), ("01", false), ("", false), ("1x", false),
    ("9007199254740991", true), ("9007199254740992", false), ("99999999999999999999", false),
  ])
  func `are parsed as identifiers, and written back`(text: String, isOne: Bool) {
    #expect(StoreID(Text(string: text))?.text.description == (isOne ? text : nil))
  }

  @Test(
    arguments: [("GB", "gb"), ("de", "de"), ("d", nil), ("deu", nil), ("d1", nil), ("é", nil)]
      as [(String, String?)]
  )
  func `accept two letters as a country`(text: String, country: String?) {
    #expect(StoreCountry(Text(string: text))?.text.description == country)
  }
}
