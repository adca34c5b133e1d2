// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import Synchronization

/// What is recorded of the iTunes Store: answers as they were, and the rows of all of them.
///
/// The folder is read when the store is asked first, so that runs without albums start at once.
final class ITunesRecording: Sendable {
  /// All that was found in the folder.
  struct Content: Sendable {
    /// Answers byte by byte, by what was asked: `414425/album`.
    var answers: [String: ByteBuffer] = [:]
    var artists: [Int: ITunesRecordedRow] = [:]
    var albums: [Int: ITunesRecordedRow] = [:]
    var albumsByArtist: [Int: [Int]] = [:]
    var songs: [Int: [ITunesRecordedRow]] = [:]
  }

  private struct Answer: Decodable {
    let results: [ITunesRecordedRow]
  }

  private struct Entry: Decodable {
    let file: String
    let request: String
  }

  private let folder: URL
  private let known = Mutex<Content?>(nil)

  /// Names the folder; where there is none, nothing is recorded.
  init(folder: URL) {
    self.folder = folder
  }

  /// What is recorded.
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
    // The old ones first: what a newer answer says takes their place.
    for entry in entries.sorted(by: { $0.file.hasPrefix("old-") && !$1.file.hasPrefix("old-") }) {
      guard let data = try? Data(contentsOf: folder.appending(path: entry.file)),
        let answer = try? JSONDecoder().decode(Answer.self, from: data)
      else { continue }
      if let question = question(of: entry.request) { content.answers[question] = ByteBuffer(bytes: data) }
      for row in answer.results { content.add(row) }
    }
    return content
  }

  /// The look-up of one thing, as it is asked here: `414425/album`.
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

/// A row of an answer, with whatever fields it has.
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

  /// The row of its artist, as a look-up would begin with it.
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
