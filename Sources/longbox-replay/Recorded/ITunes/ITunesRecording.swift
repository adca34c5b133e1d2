// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import Synchronization

/// The recorded answers of the iTunes Store, verbatim and as rows.
///
/// The folder is read on first use, so that runs without albums start at once.
final class ITunesRecording: Sendable {
  struct Content: Sendable {
    /// Verbatim answers by lookup, such as `414425/album`.
    var answers: [String: ByteBuffer] = [:]
    var artists: [Int: ITunesRecordedRow] = [:]
    var albums: [Int: ITunesRecordedRow] = [:]
    var albumsByArtist: [Int: [Int]] = [:]
    var songs: [Int: [ITunesRecordedRow]] = [:]
  }

  private struct Reply: Decodable {
    let results: [ITunesRecordedRow]
  }

  private struct Entry: Decodable {
    let file: String
    let request: String
  }

  private let folder: URL
  private let known = Mutex<Content?>(nil)

  /// Names the folder; if it is missing, nothing is recorded.
  init(folder: URL) {
    self.folder = folder
  }

  var content: Content {
    known.withLock { known in
      let content = known ?? Self.read(folder)
      known = content
      return content
    }
  }

  private static func read(_ folder: URL) -> Content {
    var content = Content()
    let index = (try? Data(contentsOf: folder.appending(path: "index.json"))) ?? Data("[]".utf8)
    let entries = (try? JSONDecoder().decode([Entry].self, from: index)) ?? []
    // Old recordings first, so that rows of newer ones replace theirs.
    for entry in entries.sorted(by: { $0.file.hasPrefix("old-") && !$1.file.hasPrefix("old-") }) {
      guard let data = try? Data(contentsOf: folder.appending(path: entry.file)),
        let answer = try? JSONDecoder().decode(Reply.self, from: data)
      else { continue }
      if let question = question(of: entry.request) { content.answers[question] = ByteBuffer(bytes: data) }
      for row in answer.results { content.add(row) }
    }
    return content
  }

  /// The key of a lookup, such as `414425/album`; nil if the request isn't one.
  private static func question(of request: String) -> String? {
    guard let mark = request.range(of: "itunes.apple.com/lookup?") else { return nil }
    let fields = QueryFields(String(request[mark.upperBound...]))
    guard let id = fields["id"].flatMap({ Int($0) }), let entity = fields["entity"] else { return nil }
    return "\(id)/\(entity)"
  }
}

extension ITunesRecording.Content {
  fileprivate mutating func add(_ row: ITunesRecordedRow) {
    switch row.wrapperType {
    case "artist":
      if let id = row["artistId"] { artists[id] = row }
    case "collection":
      guard let id = row["collectionId"] else { return }
      if let artist = row["artistId"] {
        if albums[id] == nil { albumsByArtist[artist, default: []].append(id) }
        if artists[artist] == nil { artists[artist] = row.artist }
      }
      albums[id] = row
    default:
      guard let id = row["collectionId"], let track = row["trackId"] else { return }
      if songs[id]?.contains(where: { $0["trackId"] == track }) != true { songs[id, default: []].append(row) }
    }
  }
}

struct ITunesRecordedRow: Codable, Sendable {
  private let fields: [String: JSONValue]

  init(from decoder: any Decoder) throws {
    fields = try [String: JSONValue](from: decoder)
  }

  private init(fields: [String: JSONValue]) {
    self.fields = fields
  }

  func encode(to encoder: any Encoder) throws {
    try fields.encode(to: encoder)
  }

  var wrapperType: String { text("wrapperType") }
  var artistName: String { text("artistName") }

  subscript(name: String) -> Int? {
    guard case .integer(let value)? = fields[name] else { return nil }
    return value
  }

  /// The row of its artist, as at the start of a lookup.
  var artist: ITunesRecordedRow {
    var artist: [String: JSONValue] = ["wrapperType": .string("artist"), "artistType": .string("Artist")]
    for name in ["artistId", "artistName", "primaryGenreName"] { artist[name] = fields[name] }
    return ITunesRecordedRow(fields: artist)
  }

  private func text(_ name: String) -> String {
    guard case .string(let value)? = fields[name] else { return "" }
    return value
  }
}
