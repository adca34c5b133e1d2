// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

/// Replays the iTunes Search API's artist search and lookups of albums and songs.
///
/// `/search?term=…&entity=musicArtist`, `/lookup?id=…&entity=album|song`. Recorded lookups are returned
/// verbatim; others are built from recorded rows.
struct ITunesSource: Source {
  let name = "itunes"
  let recording: ITunesRecording

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
      if let recorded = recording.content.answers["\(id)/\(entity)"] { return Self.response(.ok, recorded) }
      return Self.rows(entity == "album" ? albums(of: id) : songs(of: id), limit + 1)
    default: return .html(status: .notFound, "404 Not Found")
    }
  }

  /// The artists whose names contain all words, shortest names first.
  private func artists(named term: String) -> [ITunesRecordedRow] {
    let words = Self.folded(term).split(separator: " ")
    guard !words.isEmpty else { return [] }
    let content = recording.content
    let found = content.artists.filter { _, row in
      let name = Self.folded(row.artistName)
      return words.allSatisfy { name.contains($0) }
    }
    return found.sorted { left, right in
      let lengths = (left.value.artistName.count, right.value.artistName.count)
      return lengths.0 == lengths.1 ? left.key < right.key : lengths.0 < lengths.1
    }.map(\.value)
  }

  private func albums(of artist: Int) -> [ITunesRecordedRow] {
    let content = recording.content
    guard let row = content.artists[artist] else { return [] }
    return [row] + (content.albumsByArtist[artist] ?? []).compactMap { content.albums[$0] }
  }

  private func songs(of album: Int) -> [ITunesRecordedRow] {
    let content = recording.content
    guard let row = content.albums[album] else { return [] }
    return [row] + (content.songs[album] ?? [])
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }

  private struct Reply: Encodable {
    let resultCount: Int
    let results: [ITunesRecordedRow]
  }

  private static func rows(_ rows: [ITunesRecordedRow], _ limit: Int) -> Response {
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
