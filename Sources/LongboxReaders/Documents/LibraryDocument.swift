// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

/// A reader's library as a JSON file; docs/library-json.md describes the format.
public struct LibraryDocument: Codable, Equatable, Sendable {
  struct Favorite: Codable, Equatable, Sendable {
    var num: Int
    var added: Instant?
    var note: String?
  }

  struct Span: Codable, Equatable, Sendable {
    var from: Int
    var to: Int
  }

  struct Place: Codable, Equatable, Sendable {
    var num: Int
    var time: Instant
  }

  struct Album: Codable, Equatable, Sendable {
    var id: UInt64
    var country: String
    var name: String
    var artist: String?
    var year: Int?

    init(_ album: SavedAlbum) {
      id = album.id.value
      country = album.country.text.description
      name = album.name.description
      artist = album.artist.isEmpty ? nil : album.artist.description
      year = album.year == 0 ? nil : album.year
    }

    /// The album; nil if a library can't hold it.
    var saved: SavedAlbum? {
      guard let id = StoreID(id), let country = StoreCountry(Text(string: country)) else { return nil }
      return SavedAlbum(
        id: id,
        country: country,
        year: year ?? 0,
        name: Text(string: name),
        artist: Text(string: artist ?? "")
      )
    }
  }

  struct Saved: Codable, Equatable, Sendable {
    var kind: String
    var name: String
    var value: String?
    var base64: Data?
  }

  static let format = "longbox-library"
  static let version = 1

  var format = Self.format
  var version = Self.version
  var exported: Instant?
  var favorites: [Favorite]?
  var read: [Span]?
  var place: Place?
  var settings: [String: String]?
  var albums: [Album]?
  /// Other saved entries: quiz results, and kinds that newer versions add.
  var saved: [Saved]?
  /// Whether the favorites are from a bare list, whose invalid numbers are skipped and reported.
  var isList = false

  private enum CodingKeys: String, CodingKey {
    case format, version, exported, favorites, read, place, settings, albums, saved
  }

  init(list: [Int]) {
    favorites = list.map { Favorite(num: $0) }
    isList = true
  }

  /// The contents of a library, except device-local entries and kinds unknown to this version.
  public init(_ library: Library, exported: Date) {
    self.exported = Instant(milliseconds: exported.milliseconds)
    favorites = library.favorites.map {
      Favorite(
        num: $0.comic.value,
        added: Instant(milliseconds: $0.added),
        note: $0.note.isEmpty ? nil : $0.note.description
      )
    }
    read = Self.spans(of: library)
    place = library.place.map { Place(num: $0.comic.value, time: Instant(milliseconds: $0.time)) }
    settings = Self.settings(of: library)
    let savedAlbums = library.savedAlbums
    albums = savedAlbums.isEmpty ? nil : savedAlbums.map { Album($0) }
    saved = Self.saved(in: library)
  }

  /// The JSON, indented and with sorted keys.
  public func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }

  /// The read comics, as closed spans.
  private static func spans(of library: Library) -> [Span] {
    let marked = library.places(under: "read/").compactMap { library.entries[$0].key.text.lastNumber }
    let marks = library.readMarks
    var spans: [Span] = []
    guard let last = marked.max() else { return [] }
    for number in 1...max(1, min(last, Comic.Number.greatestValue)) {
      guard let comic = Comic.Number(number), marks.isRead(comic) else { continue }
      if let end = spans.last?.to, Comic.Number(end)?.next == comic {
        spans[spans.count - 1].to = number
      } else {
        spans.append(Span(from: number, to: number))
      }
    }
    return spans
  }

  private static func settings(of library: Library) -> [String: String] {
    var settings: [String: String] = [:]
    let prefix: Text = "setting/"
    for place in library.places(under: prefix) {
      let entry = library.entries[place]
      guard let value = entry.value else { continue }
      settings[Text(entry.key.text.bytes.dropFirst(prefix.count)).description] = value.description
    }
    return settings
  }

  private static func saved(in library: Library) -> [Saved] {
    let albums = Set(library.savedAlbums.map(\.id))
    return library.places(under: "saved/").compactMap { place in
      let entry = library.entries[place]
      let parts = entry.key.text.bytes.split(separator: UInt8(ascii: "/"), maxSplits: 2)
      guard let value = entry.value, parts.count == 3 else { return nil }
      // Albums have a list of their own.
      if parts[1].elementsEqual("album".utf8), StoreID(Text(parts[2])).map(albums.contains) == true {
        return nil
      }
      let text = String(validating: value.bytes, as: UTF8.self)
      return Saved(
        kind: Text(parts[1]).description,
        name: Text(parts[2]).description,
        value: text,
        base64: text == nil ? Data(value.bytes) : nil
      )
    }
  }
}

/// A time in the file, in ISO 8601 UTC with milliseconds: `2026-11-21T11:00:00.000Z`.
struct Instant: Codable, Equatable, Sendable {
  /// Since 1970-01-01 UTC.
  let milliseconds: UInt64

  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  init(milliseconds: UInt64) {
    self.milliseconds = min(milliseconds, Timestamp.greatestTime)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    let date = (try? Self.style.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    guard let date, date.timeIntervalSince1970 >= 0, date.timeIntervalSince1970 < 250_000_000_000 else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "“\(text.prefix(40))” is not a time such as 2026-11-21T11:00:00Z"
      )
    }
    self.init(milliseconds: UInt64((date.timeIntervalSince1970 * 1000).rounded()))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    try container.encode(Self.style.format(date))
  }
}

extension Text {
  fileprivate var lastNumber: Int? {
    bytes.split(separator: UInt8(ascii: "/")).last.flatMap { Text($0).number }
  }
}
