// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxCore

struct SavedAlbumsTests {
  private func album(_ id: UInt64, _ name: Text, _ artist: Text, _ year: Int) throws -> SavedAlbum {
    let id = try #require(StoreID(id))
    return try #require(
      SavedAlbum(id: id, country: .unitedStates, year: year, name: name, artist: artist)
    )
  }

  @Test func `are sorted by artist, ignoring case, and then by year`() throws {
    var replica = Replica(device: 1)
    let albums = [
      try album(5, "Wick", "the Lamps", 2001), try album(4, "Étude / Ä", "Ólafur", 2020),
      try album(3, "Glow", "The Moths", 1990), try album(2, "Moth", "the Lamps", 1999),
    ]
    for album in albums { try replica.edit(at: 10) { try $0.save(album, at: $1) } }
    #expect(replica.library.savedAlbums.map(\.id.value) == [2, 5, 3, 4])
    #expect(replica.library.savedAlbums.last?.name == "Étude / Ä")
    #expect(replica.library.hasSaved(albums[0].id))
  }

  @Test func `are removed, and restored by undo`() throws {
    var replica = Replica(device: 1)
    let album = try album(5, "Wick", "The Lamps", 2001)
    try replica.edit(at: 1) { try $0.save(album, at: $1) }
    let undo = try replica.library.removeAlbum(album.id, at: replica.editTime(at: 2))
    #expect(replica.library.savedAlbums.isEmpty && !replica.library.hasSaved(album.id))
    try replica.library.apply(undo, at: replica.editTime(at: 3))
    #expect(replica.library.savedAlbums.map(\.name) == ["Wick"])
  }

  @Test(arguments: [
    ("", true), ("wick", true), ("LAMPS wi", true), ("olafur ö", true), ("ÓLAFUR", true), ("strasse", false),
    ("straße", true), ("2001", true), ("2002", false), ("wick glow", false), ("日本", true),
    ("\u{FFFD}", false),
    ("zołty", true), ("ŻÓŁTY", true),
  ])
  func `are found by parts of words, ignoring case and Latin accents`(words: Text, isFound: Bool)
    throws
  {
    let album = try album(5, "Wick Żółty Straße 日本", "The Lamps, Ólafur", 2001)
    #expect(album.has(words) == isFound)
  }

  @Test func `can be searched whatever bytes their names hold`() throws {
    for lead: UInt8 in [0xC2, 0xC3, 0xC5, 0xC6, 0xE6, 0xFF] {
      for last: UInt8 in [0x00, 0x7F, 0x80, 0xBF, 0xC3] {
        let name = Text([UInt8(ascii: "a"), lead, last])
        #expect(try album(5, name, "", 0).has(name))
      }
    }
  }

  @Test func `reject names that are too long`() throws {
    let id = try #require(StoreID(1))
    let long = Text(repeatElement(UInt8(ascii: "x"), count: SavedAlbum.nameLength + 1))
    #expect(SavedAlbum(id: id, country: .unitedStates, year: 1, name: long, artist: "") == nil)
    #expect(SavedAlbum(id: id, country: .unitedStates, year: 1, name: "", artist: "") == nil)
    #expect(SavedAlbum(id: id, country: .unitedStates, year: 1, name: "a", artist: long) == nil)
  }

  @Test(
    arguments: [
      [], [2, 0], [1], [1, 0x75], [1, 0x75, 0x73, 0, 9, 0x61], [1, 0x75, 0x31, 0, 1, 0x61],
    ] as [[UInt8]]
  )
  func `are left out where damaged or of a newer version`(value: [UInt8]) throws {
    var replica = Replica(device: 1)
    try replica.edit(at: 1) { try $0.save(Text(value), kind: "album", name: "7", at: $1) }
    #expect(replica.library.savedAlbums.isEmpty)
  }
}

struct RecentArtistsTests {
  @Test func `are listed last first, each once`() throws {
    var replica = Replica(device: 1)
    for (time, id) in [(1, 5), (2, 6), (3, 5), (4, 5)] as [(UInt64, UInt64)] {
      let artist = RecentArtist(id: try #require(StoreID(id)), country: .unitedStates, name: "The Lamps")
      try replica.library.noteRecent(artist, at: replica.editTime(at: time))
    }
    #expect(replica.library.recentArtists.map(\.id.value) == [5, 6])
    #expect(replica.library.latest.time == 3, "who is the last one already is not written again")
  }

  @Test func `are limited in number`() throws {
    var replica = Replica(device: 1)
    for id in 1...40 {
      let artist = RecentArtist(id: try #require(StoreID(UInt64(id))), country: .unitedStates, name: "A")
      try replica.library.noteRecent(artist, at: replica.editTime(at: UInt64(id)))
    }
    #expect(replica.library.recentArtists.map(\.id.value) == Array((29...40).reversed()))
  }
}

struct ArticlePickTests {
  private func album(_ value: UInt64) throws -> StoreID { try #require(StoreID(value)) }

  @Test func `is kept for its album, and can be undone and removed`() throws {
    var replica = Replica(device: 1)
    let pick = try #require(ArticlePick(language: "en", page: 4512))
    try replica.edit(at: 1) { try $0.pickArticle(pick, for: album(7), at: $1) }
    #expect(try replica.library.articlePick(for: album(7)) == pick)
    #expect(try replica.library.articlePick(for: album(8)) == nil)
    let none = ArticlePick(language: "en", page: 0)
    let undo = try replica.library.pickArticle(none, for: album(7), at: replica.editTime(at: 2))
    #expect(try replica.library.articlePick(for: album(7))?.page == 0)
    try replica.library.apply(undo, at: replica.editTime(at: 3))
    #expect(try replica.library.articlePick(for: album(7)) == pick)
    try replica.edit(at: 4) { try $0.pickArticle(nil, for: album(7), at: $1) }
    #expect(try replica.library.articlePick(for: album(7)) == nil)
  }

  @Test func `of the later device counts after a merge`() throws {
    var (phone, desk) = (Replica(device: 1), Replica(device: 2))
    try phone.edit(at: 10) { try $0.pickArticle(ArticlePick(language: "en", page: 3), for: album(7), at: $1) }
    try desk.edit(at: 20) { try $0.pickArticle(ArticlePick(language: "en", page: 4), for: album(7), at: $1) }
    let before = (phone.library, desk.library)
    try phone.library.merge(before.1)
    try desk.library.merge(before.0)
    #expect(try phone.library.articlePick(for: album(7))?.page == 4)
    #expect(try desk.library.articlePick(for: album(7))?.page == 4)
  }

  @Test(arguments: ["", "en", "en/", "/4", "en/x", "en/4/5", "e n/4", "en/9999999999", "en/-1"] as [Text])
  func `of an unknown format counts as none`(value: Text) throws {
    var replica = Replica(device: 1)
    try replica.edit(at: 1) { try $0.save(value, kind: "article", name: "7", at: $1) }
    #expect(try replica.library.articlePick(for: album(7)) == nil)
  }
}
