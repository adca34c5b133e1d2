// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

/// Replays the part of Wikipedia's API that searches pages and returns their beginnings.
///
/// `action=query&generator=search&gsrsearch="Blue Train" John Coltrane
/// album&prop=pageprops|description|info|extracts`. A page matches if its title or beginning contains the
/// quoted words; the other words rank it.
struct WikipediaSource: Source {
  let name = "wikipedia"
  let recording: WikipediaRecording

  private struct Reply: Encodable {
    struct Page: Encodable {
      let pageid: Int
      var ns = 0
      let title: String
      let index: Int
      let description: String?
      let extract: String?
      let pageprops: [String: String]?
      let lastrevid: Int
      let fullurl: String
    }

    var batchcomplete = true
    let query: [String: [Page]]?
  }

  private struct Failure: Encodable {
    let error: [String: String]
  }

  func claims(_ path: String) -> Bool { false }

  func respond(to request: SourceRequest) -> Response {
    guard request.path == "/api.php" else { return .html(status: .notFound, "404 Not Found") }
    let fields = QueryFields(request.query)
    guard fields["generator"] == "search", fields["formatversion"] == "2", let words = fields["gsrsearch"]
    else {
      return Self.json(Failure(error: ["code": "badvalue", "info": "Only generator=search is replayed."]))
    }
    let limit = fields["gsrlimit"].flatMap { Int($0) } ?? 10
    let found = pages(for: words).prefix(limit).enumerated().map { place, page in
      Reply.Page(
        pageid: page.id,
        title: page.title,
        index: place + 1,
        description: page.summary,
        extract: page.extract,
        pageprops: page.isDisambiguation ? ["disambiguation": ""] : nil,
        lastrevid: page.revision,
        fullurl: Self.address(of: page.title)
      )
    }
    return Self.json(Reply(query: found.isEmpty ? nil : ["pages": found]))
  }

  private func pages(for search: String) -> [WikipediaRecording.Page] {
    let parts = search.split(separator: "\"", omittingEmptySubsequences: false).map {
      Self.folded(String($0))
    }
    // Parts with odd indexes were in quotes.
    let phrases = parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
    let words = parts.indices.filter { $0 % 2 == 0 }.flatMap { parts[$0].split(separator: " ") }
    let scored = recording.pages.compactMap { page -> (page: WikipediaRecording.Page, score: Int)? in
      let title = Self.folded(page.title)
      let all = title + " " + Self.folded(page.summary ?? "") + " " + Self.folded(page.extract ?? "")
      guard phrases.allSatisfy({ all.contains($0) }) else { return nil }
      let inTitle = phrases.allSatisfy { title.contains($0) } ? 10 : 0
      return (page, inTitle + words.count { all.contains($0) })
    }
    return scored.sorted { $0.score == $1.score ? $0.page.id < $1.page.id : $0.score > $1.score }.map(\.page)
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  private static func address(of title: String) -> String {
    let name = title.replacing(" ", with: "_")
    return "https://en.wikipedia.org/wiki/"
      + (name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "")
  }

  /// MediaWiki answers every request with 200.
  private static func json(_ value: some Encodable) -> Response {
    guard let bytes = try? JSONValue.encoder.encode(value) else {
      return .html(status: .internalServerError, "500")
    }
    return Response(
      status: .ok,
      headers: [.contentType: "application/json; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
    )
  }
}
