// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// The recorded pages of Wikipedia, with description and beginning, from several kinds of answers.
///
/// The folder is read on first use.
final class WikipediaRecording: Sendable {
  struct Page: Sendable {
    var id: Int
    var title: String
    var summary: String?
    var extract: String?
    var isDisambiguation = false
    var revision = 0
  }

  private let folder: URL
  private let known = Mutex<[Page]?>(nil)

  /// Names the folder; if it is missing, no page is recorded.
  init(folder: URL) {
    self.folder = folder
  }

  /// The pages, ordered by identifier.
  var pages: [Page] {
    known.withLock { known in
      let pages = known ?? Self.read(folder)
      known = pages
      return pages
    }
  }

  private static func read(_ folder: URL) -> [Page] {
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    let decoder = JSONDecoder()
    var pages: [Int: Page] = [:]
    for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension == "json" {
      guard let data = try? Data(contentsOf: file) else { continue }
      // A summary has one page, a query several, and "parse" gives a page as HTML.
      let found: [RecordedPage]
      if let answer = try? decoder.decode(RecordedQuery.self, from: data) {
        found = answer.query.pages
      } else if let parsed = try? decoder.decode(RecordedParse.self, from: data) {
        found = [parsed.parse]
      } else {
        found = (try? decoder.decode(RecordedPage.self, from: data)).map { [$0] } ?? []
      }
      for page in found {
        if let page = page.page { pages[page.id] = page }
      }
    }
    return pages.values.sorted { $0.id < $1.id }
  }
}

private struct RecordedQuery: Decodable {
  struct Query: Decodable {
    let pages: [RecordedPage]

    private enum Key: CodingKey {
      case pages
    }

    /// An array in format version 2, an object by page identifier in version 1.
    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      pages =
        try (try? fields.decode([RecordedPage].self, forKey: .pages))
        ?? Array(fields.decode([String: RecordedPage].self, forKey: .pages).values)
    }
  }

  let query: Query
}

private struct RecordedParse: Decodable {
  let parse: RecordedPage
}

private struct RecordedPage: Decodable {
  struct Properties: Decodable {
    let disambiguation: String?
  }

  let pageid: Int?
  let title: String?
  let description: String?
  let extract: String?
  let text: String?
  let pageprops: Properties?
  let lastrevid: Int?
  let revid: Int?

  var page: WikipediaRecording.Page? {
    guard let pageid, let title, pageid > 0 else { return nil }
    return WikipediaRecording.Page(
      id: pageid,
      title: title,
      summary: description,
      extract: extract.map(Self.plain) ?? text.flatMap(Self.beginning),
      isDisambiguation: pageprops?.disambiguation != nil || title.hasSuffix("(disambiguation)"),
      revision: lastrevid ?? revid ?? pageid
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
