// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import LongboxCore

struct LibraryDocumentTests {
  private static let start: UInt64 = 1_800_000_000_000
  private let latest = Comic.Number(3_000)

  private func comic(_ number: Int) throws -> Comic.Number { try #require(Comic.Number(number)) }

  private func edit(_ replica: inout Replica, _ change: (inout Library, EditTime) throws -> Void) rethrows {
    try change(&replica.library, replica.editTime(at: Self.start))
  }

  private func export(_ replica: Replica) -> [UInt8] {
    LibraryDocument(replica.library, exported: Self.start).encoded
  }

  private func take(_ file: [UInt8], _ replica: inout Replica) throws -> ImportResult {
    try ImportReader.document(in: file).merge(into: &replica, latest: latest, at: Self.start + 1_000)
  }

  /// A library with something of every kind.
  private func full() throws -> Replica {
    var replica = Replica(device: 7)
    try edit(&replica) { try $0.addFavorite(comic(353), at: $1) }
    try edit(&replica) { try $0.setNote("“Flying” &\n\\ ünïcödé 🐍", ofFavorite: comic(1053), at: $1) }
    try edit(&replica) { try $0.setRead(true, upTo: comic(500), at: $1) }
    try edit(&replica) { try $0.setRead(false, comic: comic(300), at: $1) }
    try edit(&replica) { try $0.setRead(true, comic: comic(700), at: $1) }
    try edit(&replica) { try $0.setPlace(comic(700), at: $1) }
    try edit(&replica) { try $0.set(.appearance, to: .dark, at: $1) }
    try edit(&replica) { try $0.set(.darkPictures, to: .dim, at: $1) }
    try edit(&replica) { try $0.set(.keepComics, to: false, at: $1) }
    try edit(&replica) { try $0.save("{\"best\":12}", kind: "quiz", name: "a/b", at: $1) }
    try edit(&replica) { try $0.save(Text([0xFF, 0x00]), kind: "album", name: "9", at: $1) }
    return replica
  }

  @Test func `has the reader's choices of articles, and keeps those that a library has`() throws {
    let album = try #require(StoreID(7))
    var replica = Replica(device: 7)
    try edit(&replica) { try $0.pickArticle(ArticlePick(language: "en", page: 4512), for: album, at: $1) }
    let file = export(replica)
    #expect(String(decoding: file, as: UTF8.self).contains("\"value\" : \"en/4512\""))
    var other = Replica(device: 8)
    _ = try take(file, &other)
    #expect(other.library.articlePick(for: album)?.page == 4512)
    var third = Replica(device: 9)
    try edit(&third) { try $0.pickArticle(ArticlePick(language: "en", page: 3), for: album, at: $1) }
    _ = try take(file, &third)
    #expect(third.library.articlePick(for: album)?.page == 3)
  }

  @Test func `looks as docs/library-json.md shows it`() throws {
    let text = String(decoding: try export(full()), as: UTF8.self)
    #expect(
      text == """
        {
          "exported" : "2027-01-15T08:00:00.000Z",
          "favorites" : [
            {
              "added" : "2027-01-15T08:00:00.000Z",
              "note" : "“Flying” &\\n\\\\ ünïcödé 🐍",
              "num" : 1053
            },
            {
              "added" : "2027-01-15T08:00:00.000Z",
              "num" : 353
            }
          ],
          "format" : "longbox-library",
          "place" : {
            "num" : 700,
            "time" : "2027-01-15T08:00:00.000Z"
          },
          "read" : [
            {
              "from" : 1,
              "to" : 299
            },
            {
              "from" : 301,
              "to" : 500
            },
            {
              "from" : 700,
              "to" : 700
            }
          ],
          "saved" : [
            {
              "base64" : "/wA=",
              "kind" : "album",
              "name" : "9"
            },
            {
              "kind" : "quiz",
              "name" : "a/b",
              "value" : "{\\"best\\":12}"
            }
          ],
          "settings" : {
            "appearance" : "dark",
            "darkPictures" : "dim"
          },
          "version" : 1
        }

        """
    )
  }

  @Test func `has no read comics once all are marked as unread`() throws {
    var replica = try full()
    try edit(&replica) { try $0.setRead(false, upTo: comic(Comic.Number.greatestValue), at: $1) }
    #expect(LibraryDocument(replica.library, exported: Self.start).read.isEmpty)
    try edit(&replica) { try $0.setRead(true, comic: comic(9), at: $1) }
    let read = LibraryDocument(replica.library, exported: Self.start).read
    #expect(read == [LibraryDocument.Span(from: 9, to: 9)])
  }

  @Test func `restores an exported library into an empty one`() throws {
    let exported = try full()
    var imported = Replica(device: 8)
    let summary = try take(export(exported), &imported)
    #expect(export(imported) == export(exported))
    #expect(imported.library.value(of: .keepComics), "what is local stays out")
    #expect(summary.favoritesAdded == 2 && summary.favoritesPresent == 0 && summary.notesAdded == 1)
    // There is no comic 404.
    #expect(summary.comicsRead == 299 + 199 + 1)
    #expect(summary.settingsTaken == 2 && summary.savedTaken == 2 && summary.isPlaceTaken)
  }

  @Test func `imports saved albums, but not those that are saved already`() throws {
    let (id, country) = (try #require(StoreID(1440857781)), try #require(StoreCountry("gb")))
    let album = try #require(
      SavedAlbum(
        id: id,
        country: country,
        year: 1969,
        name: "Slow “Road”",
        artist: "Ö"
      )
    )
    var replica = Replica(device: 7)
    try edit(&replica) { try $0.save(album, at: $1) }
    let file = export(replica)
    let text = String(decoding: file, as: UTF8.self)
    #expect(text.contains("\"name\" : \"Slow “Road”\"") && text.contains("\"id\" : 1440857781"))
    #expect(!text.contains("base64"))
    var imported = Replica(device: 8)
    #expect(try take(file, &imported).savedTaken == 1)
    #expect(imported.library.savedAlbums == [album])
    #expect(try take(file, &imported).savedTaken == 0)
  }

  @Test(arguments: [
    #"{"id": 0, "country": "gb", "name": "a"}"#, #"{"id": 1, "country": "gbr", "name": "a"}"#,
    #"{"id": 1, "country": "gb", "name": ""}"#,
  ])
  func `rejects an invalid album`(album: String) {
    let file = Array(#"{"format": "longbox-library", "version": 1, "albums": [\#(album)]}"#.utf8)
    #expect(throws: ImportError.invalid(at: "albums, entry 1", "is none that a library can hold")) {
      try ImportReader.document(in: file)
    }
  }

  @Test func `changes nothing if everything is there already`() throws {
    var replica = try full()
    let before = replica
    let summary = try take(export(before), &replica)
    #expect(replica == before)
    #expect(summary.favoritesPresent == 2 && summary.favoritesAdded == 0 && summary.comicsRead == 0)
    #expect(summary.settingsTaken == 0 && summary.savedTaken == 0 && !summary.isPlaceTaken)
  }

  @Test func `overwrites nothing of the reader's`() throws {
    let file = try export(full())
    var replica = Replica(device: 8)
    try edit(&replica) { try $0.setNote("mine", ofFavorite: comic(1053), at: $1) }
    try edit(&replica) { try $0.addFavorite(comic(2_000), at: $1) }
    try edit(&replica) { try $0.set(.appearance, to: .light, at: $1) }
    try edit(&replica) { try $0.save("better", kind: "quiz", name: "a/b", at: $1) }
    try edit(&replica) { library, editTime in
      try library.setPlace(comic(900), at: EditTime(timestamp: editTime.timestamp, time: Self.start + 500))
    }
    try edit(&replica) { try $0.setRead(true, comic: comic(2_000), at: $1) }
    let summary = try take(file, &replica)
    let library = replica.library
    #expect(try library.favorite(comic(1053))?.note == "mine")
    #expect(Set(library.favorites.map(\.comic.value)) == [353, 1053, 2_000])
    #expect(library.value(of: .appearance) == .light && library.value(of: .darkPictures) == .dim)
    let saved = library.places(under: "saved/quiz/").map { library.entries[$0].value }
    #expect(saved == ["better"] as [Text?])
    #expect(library.place?.comic.value == 900)
    #expect(try library.readMarks.isRead(comic(2_000)) && library.readMarks.isRead(comic(10)))
    #expect(summary.favoritesAdded == 1 && summary.favoritesPresent == 1 && summary.notesAdded == 0)
  }

  @Test func `adds a note to a favorite without one`() throws {
    var replica = Replica(device: 8)
    try edit(&replica) { try $0.addFavorite(comic(1053), at: $1) }
    let summary = try take(export(full()), &replica)
    #expect(summary.notesAdded == 1)
    #expect(try replica.library.favorite(comic(1053))?.note.isEmpty == false)
  }

  @Test func `restores what was removed since the export`() throws {
    var replica = try full()
    let file = export(replica)
    try edit(&replica) { try $0.removeFavorite(comic(353), at: $1) }
    #expect(try take(file, &replica).favoritesAdded == 1)
    #expect(try replica.library.isFavorite(comic(353)))
  }

  @Test func `as a bare list skips numbers that are not comics, and reports them`() throws {
    var replica = Replica(device: 8)
    let summary = try take(Array("1 404 0 3000 3001 1".utf8), &replica)
    #expect(summary.unknownNumbers == [404, 0, 3001])
    #expect(summary.favoritesAdded == 2 && summary.favoritesPresent == 1)
    #expect(Set(replica.library.favorites.map(\.comic.value)) == [1, 3_000])
  }

  @Test func `is rejected entirely if the library would be too large`() throws {
    var replica = Replica(device: 8)
    let value = Text([UInt8](repeating: 120, count: LibraryLimits.valueLength))
    for number in 0..<2040 {
      try edit(&replica) { try $0.save(value, kind: "test", name: Text(decimal: number), at: $1) }
    }
    let before = replica
    let notes = (1...20).map { "{\"num\": \($0), \"note\": \"\(String(repeating: "x", count: 500))\"}" }
    let file =
      "{\"format\": \"longbox-library\", \"version\": 1, \"favorites\": [\(notes.joined(separator: ","))]}"
    #expect(throws: LibraryError.full) { try take(Array(file.utf8), &replica) }
    #expect(replica == before)
  }

  @Test(arguments: 0..<20)
  func `keeps any read marks`(seed: Int) throws {
    var dice = SeededGenerator(seed: UInt64(seed))
    var replica = Replica(device: 7)
    for _ in 0..<40 {
      let number = try comic(Int.random(in: 1...399, using: &dice))
      let isRead = Bool.random(using: &dice)
      let reaches = Int.random(in: 0..<4, using: &dice) == 0
      try edit(&replica) { library, editTime in
        _ =
          try reaches
          ? library.setRead(isRead, upTo: number, at: editTime)
          : library.setRead(isRead, comic: number, at: editTime)
      }
    }
    var imported = Replica(device: 8)
    _ = try take(export(replica), &imported)
    let (marks, importedMarks) = (replica.library.readMarks, imported.library.readMarks)
    for number in 1...400 {
      #expect(
        try marks.isRead(comic(number)) == importedMarks.isRead(comic(number)),
        "comic \(number), seed \(seed)"
      )
    }
  }
}

struct InstantTests {
  @Test(arguments: [
    ("2027-01-15T08:00:00.000Z", 1_800_000_000_000), ("2027-01-15T08:00:00Z", 1_800_000_000_000),
    ("2027-01-15T08:00:00.5Z", 1_800_000_000_500), ("2027-01-15T08:00:00.123456Z", 1_800_000_000_123),
    ("2027-01-15T10:30:00+02:30", 1_800_000_000_000), ("2027-01-15T07:00:00-0100", 1_800_000_000_000),
    ("1970-01-01T00:00:00Z", 0), ("2000-02-29T00:00:00Z", 951_782_400_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
  ])
  func `is read`(text: String, milliseconds: UInt64) {
    #expect(Instant(Text(string: text))?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "soon", "2027-01-15", "2027-01-15 08:00:00Z", "2027-02-29T00:00:00Z", "2027-01-15T24:00:00Z",
    "2027-01-15T08:00:00", "2027-01-15T08:00:00.Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00+01:00",
    "2027-01-15T08:00:00Z ", "+027-01-15T08:00:00Z", "2027-01-15T08:00:00+1",
  ])
  func `is rejected if it is none`(text: String) {
    #expect(Instant(Text(string: text)) == nil)
  }

  @Test(arguments: 0..<200)
  func `is written as Foundation does, and read again`(seed: Int) throws {
    var dice = SeededGenerator(seed: UInt64(seed))
    let instant = Instant(milliseconds: UInt64.random(in: 0..<253_402_300_800_000, using: &dice))
    let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
    #expect(Instant(instant.text) == instant)
    // Foundation rounds fractions down, so some of its times are a millisecond less.
    let seconds = String(instant.text.description.prefix(19))
    #expect(date.formatted(.iso8601).hasPrefix(seconds) || instant.milliseconds % 1000 == 0)
  }
}
