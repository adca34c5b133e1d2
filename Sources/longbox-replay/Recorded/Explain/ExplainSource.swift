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
  let recording: ExplainRecording
  let comics: XkcdRecording

  /// The maximum number of titles for anonymous clients.
  private static let titleLimit = 50

  func claims(_ path: String) -> Bool { path == "/wiki/api.php" }

  func respond(to request: SourceRequest) -> Response {
    guard request.path == "/api.php" || request.path == "/wiki/api.php" else {
      return .html(status: .notFound, "404 Not Found")
    }
    let fields = QueryFields(request.query)
    guard fields["action"] == "query", fields["prop"] == "revisions", fields["formatversion"] == "2" else {
      return Self.json(Failure(code: "badvalue", info: "Only action=query&prop=revisions is replayed."))
    }
    let titles = (fields["titles"] ?? "").split(separator: "|").map(String.init)
    guard titles.count <= Self.titleLimit else {
      return Self.json(
        Failure(code: "toomanyvalues", info: "Too many values supplied for parameter \"titles\".")
      )
    }
    return Self.json(Reply(query: answer(about: titles, follows: fields["redirects"] != nil)))
  }

  private func answer(about titles: [String], follows: Bool) -> Reply.Query {
    var query = Reply.Query()
    for title in titles {
      guard let number = Int(title), number <= comics.latest, let page = recording.page(about: number),
        follows
      else {
        query.pages.append(Reply.Page(title: title, missing: true))
        continue
      }
      query.redirects.append(Reply.Step(from: title, to: page.title))
      let revision = Reply.Revision(revid: number, slots: ["main": .init(content: page.wikitext)])
      query.pages.append(Reply.Page(pageid: number, title: page.title, revisions: [revision]))
    }
    return query
  }

  /// MediaWiki answers every request with 200.
  private static func json(_ value: some Encodable) -> Response {
    guard let bytes = try? JSONValue.encoder.encode(value) else {
      return .html(status: .internalServerError, "500")
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/json; charset=utf-8", .cacheControl: "private, must-revalidate, max-age=0",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
    )
  }
}

extension ExplainSource {
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

  private struct Failure: Encodable {
    struct Cause: Encodable {
      let code: String
      let info: String
    }

    let error: Cause

    init(code: String, info: String) {
      error = Cause(code: code, info: info)
    }
  }
}
