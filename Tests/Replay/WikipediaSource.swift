// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

/// Replays the part of Wikipedia's API that searches pages and returns their beginnings.
///
/// `action=query&generator=search&gsrsearch="Blue Train" John Coltrane
/// album&prop=pageprops|description|info|extracts`. A page matches if its title or beginning contains the
/// quoted words; the other words rank it. `/de/api.php` has the pages in the subfolder `de`.
struct WikipediaSource: Source {
  let name = "wikipedia"
  private let folder: URL
  private let recorded: Lazy<[WikipediaPage]>

  /// Names the folder of the recording; if it is missing, no page is recorded.
  init(folder: URL) {
    self.folder = folder
    recorded = Lazy { WikipediaPage.read(folder) }
  }

  private struct Reply: Encodable {
    var batchcomplete = true
    let query: [String: [WikipediaPage]]?
  }

  func claims(_ path: String) -> Bool { false }

  func respond(to request: SourceRequest) -> Response {
    guard let recorded = recorded(at: request.path) else { return .notFound }
    let fields = QueryFields(request.query)
    guard fields["generator"] == "search", fields["formatversion"] == "2", let words = fields["gsrsearch"]
    else {
      return .wiki(WikiFailure(code: "badvalue", info: "Only generator=search is replayed."))
    }
    let limit = fields["gsrlimit"].flatMap { Int($0) } ?? 10
    let found = Self.pages(for: words, among: recorded).prefix(limit).enumerated().map { place, page in
      var page = page
      page.index = place + 1
      return page
    }
    return .wiki(Reply(query: found.isEmpty ? nil : ["pages": found]))
  }

  /// The pages of the Wikipedia at a path; nil if there is none.
  private func recorded(at path: String) -> [WikipediaPage]? {
    if path == "/api.php" { return recorded.value }
    guard let language = path.wholeMatch(of: #/\/([a-z]{2,12})\/api\.php/#)?.1 else { return nil }
    return WikipediaPage.read(folder.appending(path: String(language)))
  }

  private static func pages(for search: String, among recorded: [WikipediaPage]) -> [WikipediaPage] {
    let parts = search.split(separator: "\"", omittingEmptySubsequences: false).map {
      folded(String($0))
    }
    // Parts with odd indexes were in quotes.
    let phrases = parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
    let words = parts.indices.filter { $0 % 2 == 0 }.flatMap { parts[$0].split(separator: " ") }
    let scored = recorded.compactMap { page -> (page: WikipediaPage, score: Int)? in
      let title = folded(page.title)
      let all = title + " " + folded(page.description ?? "") + " " + folded(page.extract ?? "")
      guard phrases.allSatisfy({ all.contains($0) }) else { return nil }
      let inTitle = phrases.allSatisfy { title.contains($0) } ? 10 : 0
      return (page, inTitle + words.count { all.contains($0) })
    }
    return scored.sorted { $0.score == $1.score ? $0.page.pageid < $1.page.pageid : $0.score > $1.score }.map(
      \.page
    )
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}

/// A page, as recorded and as answered.
private struct WikipediaPage: Codable, Sendable {
  var pageid: Int
  var ns: Int?
  var title: String
  var index: Int?
  var description: String?
  var extract: String?
  var pageprops: [String: String]?
  var lastrevid: Int?
  var fullurl: String?

  /// Only recorded: the revision and the HTML of a whole page.
  var revid: Int?
  var text: String?

  private enum CodingKeys: CodingKey {
    case pageid, ns, title, index, description, extract, pageprops, lastrevid, fullurl, revid, text
  }

  /// The pages in all files of a folder, with description and beginning, ordered by identifier; none if it is missing.
  static func read(_ folder: URL) -> [WikipediaPage] {
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    var pages: [Int: WikipediaPage] = [:]
    for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension == "json" {
      guard let data = try? Data(contentsOf: file) else { continue }
      for page in Self.pages(in: data) where page.pageid > 0 { pages[page.pageid] = page.normal }
    }
    return pages.values.sorted { $0.pageid < $1.pageid }
  }

  /// A query has several pages, by identifier in format version 1; "parse" has one as HTML; a summary is one.
  private static func pages(in data: Data) -> [WikipediaPage] {
    struct Query<Pages: Decodable>: Decodable { let query: [String: Pages] }
    let decoder = JSONDecoder()
    if let answer = try? decoder.decode(Query<JSONValue>.self, from: data), let pages = answer.query["pages"],
      let bytes = try? JSONValue.encoder.encode(pages)
    {
      if let list = try? decoder.decode([Partial].self, from: bytes) { return list.compactMap(\.page) }
      return (try? decoder.decode([String: Partial].self, from: bytes))?.values.compactMap(\.page) ?? []
    }
    if let parsed = try? decoder.decode([String: WikipediaPage].self, from: data)["parse"] { return [parsed] }
    return (try? decoder.decode(WikipediaPage.self, from: data)).map { [$0] } ?? []
  }

  /// A page, or what a query says of one that doesn't exist.
  private struct Partial: Decodable {
    let page: WikipediaPage?

    init(from decoder: any Decoder) { page = try? WikipediaPage(from: decoder) }
  }

  /// The page as a search answers it.
  private var normal: WikipediaPage {
    let isDisambiguation = pageprops?["disambiguation"] != nil || title.hasSuffix("(disambiguation)")
    let name = title.replacing(" ", with: "_").addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    return WikipediaPage(
      pageid: pageid,
      ns: 0,
      title: title,
      description: description,
      extract: extract.map(Self.plain) ?? text.flatMap(Self.beginning),
      pageprops: isDisambiguation ? ["disambiguation": ""] : nil,
      lastrevid: lastrevid ?? revid ?? pageid,
      fullurl: "https://en.wikipedia.org/wiki/\(name ?? "")"
    )
  }

  /// The first paragraph of more than 80 characters.
  private static func beginning(of html: String) -> String? {
    html.components(separatedBy: "<p>").dropFirst().lazy
      .map { plain($0.components(separatedBy: "</p>")[0]) }
      .first { $0.count > 80 }
  }

  private static func plain(_ html: String) -> String {
    html.replacing(#/<[^>]*>/#, with: "").replacing(#/\[[0-9a-z]+\]/#, with: "")
      .replacing("&#91;", with: "[").replacing("&amp;", with: "&").replacing("&#160;", with: " ")
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
