// Longbox
// SPDX-License-Identifier: MIT

/// A reader's library as a file; docs/library-json.md describes the format.
public struct LibraryDocument: Equatable, Sendable {
  struct Favorite: Equatable, Sendable {
    var num: Int
    var added: Instant?
    var note: Text?
  }

  struct Span: Equatable, Sendable {
    var from: Int
    var to: Int
  }

  struct Place: Equatable, Sendable {
    var num: Int
    var time: Instant
  }

  struct Setting: Equatable, Sendable {
    var name: Text
    var value: Text
  }

  struct Album: Equatable, Sendable {
    var id: UInt64
    var country: Text
    var name: Text
    var artist: Text?
    var year: Int?

    /// The album; nil if a library can't hold it.
    var saved: SavedAlbum? {
      guard let id = StoreID(id), let country = StoreCountry(country) else { return nil }
      return SavedAlbum(id: id, country: country, year: year ?? 0, name: name, artist: artist ?? .empty)
    }
  }

  struct Saved: Equatable, Sendable {
    var kind: Text
    var name: Text
    /// The value; nil if it is missing, or its Base64 is invalid.
    var value: Text?
  }

  static var format: Text { "longbox-library" }
  static var version: Int { 1 }

  /// The maximum length of a file, in bytes.
  public static var lengthLimit: Int { 8 << 20 }
  /// The name of the file.
  public static var fileName: Text { "longbox-library.json" }

  var version = Self.version
  var exported: Instant?
  var favorites: [Favorite] = []
  var read: [Span] = []
  var place: Place?
  var settings: [Setting] = []
  var albums: [Album] = []
  /// Other saved entries: quiz results, and kinds that newer versions add.
  var saved: [Saved] = []
  /// Whether the favorites are from a bare list, whose invalid numbers are skipped and reported.
  var isList = false

  init() {}

  init(list: [Int]) {
    favorites = list.map { Favorite(num: $0) }
    isList = true
  }

  /// The contents of a library, except device-local entries and kinds unknown to this version.
  /// - Parameter exported: the time, in milliseconds since 1970-01-01 UTC.
  public init(_ library: Library, exported: UInt64) {
    self.exported = Instant(milliseconds: exported)
    favorites = library.favorites.map {
      Favorite(
        num: $0.comic.value,
        added: Instant(milliseconds: $0.added),
        note: $0.note.isEmpty ? nil : $0.note
      )
    }
    read = Self.spans(of: library)
    place = library.place.map { Place(num: $0.comic.value, time: Instant(milliseconds: $0.time)) }
    settings = Self.settings(of: library)
    albums = library.savedAlbums.map {
      Album(
        id: $0.id.value,
        country: $0.country.text,
        name: $0.name,
        artist: $0.artist.isEmpty ? nil : $0.artist,
        year: $0.year == 0 ? nil : $0.year
      )
    }
    saved = Self.saved(in: library)
  }

  /// The read comics, as closed spans.
  private static func spans(of library: Library) -> [Span] {
    let marks = library.readMarks
    let last = marks.greatestRead?.value ?? 0
    var spans: [Span] = []
    var number = 0
    while number < last {
      number += 1
      guard let comic = Comic.Number(number), marks.isRead(comic) else { continue }
      if let end = spans.last?.to, Comic.Number(end)?.next == comic {
        spans[spans.count - 1].to = number
      } else {
        spans.append(Span(from: number, to: number))
      }
    }
    return spans
  }

  private static func settings(of library: Library) -> [Setting] {
    let prefix: Text = "setting/"
    return library.places(under: prefix).compactMap { place in
      let entry = library.entries[place]
      guard let value = entry.value else { return nil }
      return Setting(name: Text(entry.key.text.bytes.dropFirst(prefix.count)), value: value)
    }
  }

  private static func saved(in library: Library) -> [Saved] {
    library.places(under: "saved/").compactMap { place in
      let entry = library.entries[place]
      let parts = entry.key.text.bytes.split(separator: UInt8(ascii: "/"), maxSplits: 2)
      guard let value = entry.value, parts.count == 3 else { return nil }
      // Albums have a list of their own.
      if parts[1].elementsEqual("album".utf8), SavedAlbum(entry) != nil { return nil }
      return Saved(kind: Text(parts[1]), name: Text(parts[2]), value: value)
    }
  }
}
