// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

/// Replays the part of explain xkcd's API that returns the wikitext of up to 50 pages about comics.
///
/// `action=query&prop=revisions&rvprop=content&redirects=1&formatversion=2&titles=353|354`.
///
/// A number redirects to the page's name, as on the wiki. Comics that are not yet published have no page.
struct ExplainSource: Source {
  let name = "explain"
  private let pages: Lazy<[Int: ExplainPage]>
  private let comics: XkcdRecording

  /// Names the folder of `pages.jsonl`; if that is missing, no page is recorded.
  init(folder: URL, comics: XkcdRecording) {
    pages = Lazy { ExplainPage.read(folder.appending(path: "pages.jsonl")) }
    self.comics = comics
  }

  /// The maximum number of titles for anonymous clients.
  private static let titleLimit = 50

  func claims(_ path: String) -> Bool { path == "/wiki/api.php" }

  func respond(to request: SourceRequest) -> Response {
    guard request.path == "/api.php" || request.path == "/wiki/api.php" else { return .notFound }
    let fields = QueryFields(request.query)
    guard fields["action"] == "query", fields["prop"] == "revisions", fields["formatversion"] == "2" else {
      return .wiki(WikiFailure(code: "badvalue", info: "Only action=query&prop=revisions is replayed."))
    }
    let titles = (fields["titles"] ?? "").split(separator: "|").map(String.init)
    guard titles.count <= Self.titleLimit else {
      return .wiki(
        WikiFailure(code: "toomanyvalues", info: #"Too many values supplied for parameter "titles"."#)
      )
    }
    return .wiki(Reply(query: answer(about: titles, follows: fields["redirects"] != nil)))
  }

  private func answer(about titles: [String], follows: Bool) -> Reply.Query {
    var query = Reply.Query()
    for title in titles {
      guard follows, let number = Int(title), number <= comics.latest, let page = pages.value[number] else {
        query.pages.append(Reply.Page(title: title, missing: true))
        continue
      }
      query.redirects.append(Reply.Step(from: title, to: page.title))
      let revision = Reply.Revision(revid: number, slots: ["main": .init(content: page.wikitext)])
      query.pages.append(Reply.Page(pageid: number, title: page.title, revisions: [revision]))
    }
    return query
  }

  private struct Reply: Encodable {
    struct Step: Encodable {
      let from: String
      let to: String
    }

    struct Slot: Encodable {
      var contentmodel = "wikitext"
      var contentformat = "text/x-wiki"
      let content: String
    }

    struct Revision: Encodable {
      let revid: Int
      var timestamp = "2025-09-30T00:00:00Z"
      let slots: [String: Slot]
    }

    struct Page: Encodable {
      var pageid: Int?
      var ns = 0
      let title: String
      var missing: Bool?
      var revisions: [Revision]?
    }

    struct Query: Encodable {
      var redirects: [Step] = []
      var pages: [Page] = []
    }

    var batchcomplete = true
    let query: Query
  }
}

/// The recorded wikitext of a page about a comic.
private struct ExplainPage: Decodable, Sendable {
  let num: Int
  let title: String
  let wikitext: String

  static func read(_ file: URL) -> [Int: ExplainPage] {
    guard let data = try? Data(contentsOf: file) else { return [:] }
    let decoder = JSONDecoder()
    let lines = data.split(separator: 0x0A).compactMap { try? decoder.decode(Self.self, from: $0) }
    return Dictionary(lines.map { ($0.num, $0) }) { $1 }
  }
}
