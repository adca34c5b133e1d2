// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Replays the iTunes Search API's artist search and lookups of albums and songs.
///
/// `/search?term=…&entity=musicArtist`, `/lookup?id=…&entity=album|song`. Recorded lookups are returned
/// verbatim; others are built from recorded rows.
struct ITunesSource: Source {
  let name = "itunes"
  private let recording: Lazy<ITunesRecording>

  /// Names the folder of the recording; if it is missing, nothing is recorded.
  init(folder: URL) { recording = Lazy { ITunesRecording(folder: folder) } }

  func claims(_ path: String) -> Bool { false }

  func respond(to request: SourceRequest) -> Response {
    let fields = QueryFields(request.query)
    let country = fields["country"] ?? "us"
    guard country.utf8.count == 2 else {
      return Self.response(
        .badRequest,
        ByteBuffer(string: #"{"errorMessage":"Invalid value(s) for key(s): [country]"}"#)
      )
    }
    let limit = min(fields["limit"].flatMap { Int($0) } ?? 50, 200)
    switch (request.path, fields["entity"]) {
    case ("/search", "musicArtist"): return Self.rows(artists(named: fields["term"] ?? ""), limit)
    case ("/lookup", "album"), ("/lookup", "song"):
      let id = fields["id"].flatMap { Int($0) } ?? 0
      let entity = fields["entity"] ?? ""
      if let recorded = recording.value.answers["\(id)/\(entity)"] { return Self.response(.ok, recorded) }
      return Self.rows(entity == "album" ? albums(of: id) : songs(of: id), limit + 1)
    default: return .notFound
    }
  }

  /// The artists whose names contain all words, shortest names first.
  private func artists(named term: String) -> [Row] {
    let words = Self.folded(term).split(separator: " ")
    guard !words.isEmpty else { return [] }
    let content = recording.value
    let found = content.artists.filter { _, row in
      let name = Self.folded(row.text("artistName"))
      return words.allSatisfy { name.contains($0) }
    }
    return found.sorted { left, right in
      let lengths = (left.value.text("artistName").count, right.value.text("artistName").count)
      return lengths.0 == lengths.1 ? left.key < right.key : lengths.0 < lengths.1
    }.map(\.value)
  }

  private func albums(of artist: Int) -> [Row] {
    let content = recording.value
    guard let row = content.artists[artist] else { return [] }
    return [row] + (content.albumsByArtist[artist] ?? []).compactMap { content.albums[$0] }
  }

  private func songs(of album: Int) -> [Row] {
    let content = recording.value
    guard let row = content.albums[album] else { return [] }
    return [row] + (content.songs[album] ?? [])
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }

  private struct Reply: Encodable {
    let resultCount: Int
    let results: [Row]
  }

  private static func rows(_ rows: [Row], _ limit: Int) -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let some = Array(rows.prefix(limit))
    guard let bytes = try? encoder.encode(Reply(resultCount: some.count, results: some)) else {
      return .html(status: .internalServerError, "500")
    }
    return response(.ok, ByteBuffer(string: "\n\n\n" + String(decoding: bytes, as: UTF8.self) + "\n"))
  }

  private static func response(_ status: HTTPResponse.Status, _ body: ByteBuffer) -> Response {
    Response(
      status: status,
      headers: [
        .contentType: "text/javascript; charset=utf-8",
        .contentDisposition: "attachment; filename=1.txt",
      ],
      body: ResponseBody(byteBuffer: body)
    )
  }
}

/// Stands in for the servers of album covers.
///
/// It has a grey cover for each address, in the size and the format at the end of the address: `…/600x600bb.jpg`.
struct ArtworkSource: Source {
  let name = "artwork"

  /// The maximum side in pixels.
  private static let largest = 1_200

  func claims(_ path: String) -> Bool { false }

  func respond(to request: SourceRequest) -> Response {
    let parts = request.path.split(separator: "/")
    guard let last = parts.last, parts.count > 1, let side = Self.side(of: last) else { return .notFound }
    let seed = hash(of: parts.dropLast().joined(separator: "/").utf8)
    let mediaType = Picture.mediaType(of: String(last))
    let cover: ByteBuffer
    switch mediaType {
    case "image/jpeg": cover = greyCover(side: side, seed: seed)
    case "image/png": cover = Picture.cover(side: side, seed: seed).png
    default: return .notFound
    }
    return StoredFile(bytes: cover, mediaType: mediaType, lastModified: Date(timeIntervalSince1970: 0))
      .response(to: request.headers)
  }

  /// `600` in `600x600bb.jpg`.
  private static func side(of name: Substring) -> Int? {
    let numbers = name.prefix { $0 != "b" && $0 != "." }.split(separator: "x").map { Int($0) }
    guard numbers.count == 2, let side = numbers[0], numbers[1] == side else { return nil }
    return (1...largest).contains(side) ? side : nil
  }
}

/// The recorded answers of the iTunes Store, verbatim and as rows.
private struct ITunesRecording: Sendable {
  /// Verbatim answers by lookup, such as `414425/album`.
  var answers: [String: ByteBuffer] = [:]
  var artists: [Int: Row] = [:]
  var albums: [Int: Row] = [:]
  var albumsByArtist: [Int: [Int]] = [:]
  var songs: [Int: [Row]] = [:]

  private struct Reply: Decodable {
    let results: [Row]
  }

  private struct Entry: Decodable {
    let file: String
    let request: String
  }

  init(folder: URL) {
    let index = (try? Data(contentsOf: folder.appending(path: "index.json"))) ?? Data("[]".utf8)
    let entries = (try? JSONDecoder().decode([Entry].self, from: index)) ?? []
    // Old recordings first, so that rows of newer ones replace theirs.
    for entry in entries.sorted(by: { $0.file.hasPrefix("old-") && !$1.file.hasPrefix("old-") }) {
      guard let data = try? Data(contentsOf: folder.appending(path: entry.file)),
        let answer = try? JSONDecoder().decode(Reply.self, from: data)
      else { continue }
      if let question = Self.question(of: entry.request) { answers[question] = ByteBuffer(bytes: data) }
      for row in answer.results { add(row) }
    }
  }

  /// The key of a lookup, such as `414425/album`; nil if the request isn't one.
  private static func question(of request: String) -> String? {
    guard let mark = request.range(of: "itunes.apple.com/lookup?") else { return nil }
    let fields = QueryFields(String(request[mark.upperBound...]))
    guard let id = fields["id"].flatMap({ Int($0) }), let entity = fields["entity"] else { return nil }
    return "\(id)/\(entity)"
  }

  private mutating func add(_ row: Row) {
    switch row.text("wrapperType") {
    case "artist":
      if let id = row.number("artistId") { artists[id] = row }
    case "collection":
      guard let id = row.number("collectionId") else { return }
      if let artist = row.number("artistId") {
        if albums[id] == nil { albumsByArtist[artist, default: []].append(id) }
        if artists[artist] == nil { artists[artist] = row.artist }
      }
      albums[id] = row
    default:
      guard let id = row.number("collectionId"), let track = row.number("trackId") else { return }
      if songs[id]?.contains(where: { $0.number("trackId") == track }) != true {
        songs[id, default: []].append(row)
      }
    }
  }
}

private typealias Row = [String: JSONValue]

extension Row {
  fileprivate func number(_ name: String) -> Int? {
    guard case .integer(let value)? = self[name] else { return nil }
    return value
  }

  fileprivate func text(_ name: String) -> String {
    guard case .string(let value)? = self[name] else { return "" }
    return value
  }

  /// The row of its artist, as at the start of a lookup.
  fileprivate var artist: Row {
    var artist: Row = ["wrapperType": .string("artist"), "artistType": .string("Artist")]
    for name in ["artistId", "artistName", "primaryGenreName"] { artist[name] = self[name] }
    return artist
  }
}
