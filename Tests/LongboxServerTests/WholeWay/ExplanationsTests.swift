// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCore
import LongboxStore
import LongboxUpstream
import TestSupport
import Testing

@testable import LongboxCatalog
@testable import LongboxServer
@testable import longbox_replay

/// Explanations from a replayed wiki, over a socket, to readers and devices.
@Suite("Explanations end to end", .timeLimit(.minutes(10))) struct ExplanationsTests {
  /// Six handmade comics; the sixth has no explanation.
  private func recording() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try folder.write(
      Array((1...6).map { HandmadeRecord.raw($0) }.joined(separator: [0x0A])),
      to: "xkcd/comics.jsonl"
    )
    let pages = (1...5).map { number in
      let banner = number == 4 ? "{{incomplete}}" : ""
      let sections = "==Explanation==\\nBread ''\(number)'' rises <script>.\\n==Transcript==\\n:[Bread.]"
      let text = "\(banner)\(sections)\\n[[Category:Dough]]"
      return #"{"num":\#(number),"title":"\#(number): Bread","wikitext":"\#(text)"}"#
    }
    try folder.write(Array(pages.joined(separator: "\n").utf8), to: "explainxkcd/pages.jsonl")
    return folder
  }

  @Test func `are in the API as text and HTML, with an error if there is none`() async throws {
    struct Sent: Decodable {
      var number: Int
      var lead, text, html, date, source, licence: String
      var incomplete, cut: Bool
    }
    struct SentProblem: Decodable { var detail: String }
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      let answer = try await bench.get("/api/comics/4/explanation")
      #expect(answer.headers[.contentType] == "application/json")
      let sent = try JSONDecoder().decode(Sent.self, from: Data(answer.text.utf8))
      #expect(sent.number == 4 && sent.incomplete && !sent.cut)
      #expect(sent.lead == "Bread 4 rises <script>." && sent.text.contains(sent.lead))
      #expect(sent.html == "<p>Bread <em>4</em> rises &lt;script&gt;.</p>")
      #expect(sent.date == "2025-09-30" && sent.licence == "CC BY-SA 3.0")
      #expect(sent.source == "https://www.explainxkcd.com/wiki/index.php/4")
      for (number, reason) in [
        ("6", "no explanation of comic 6"), ("7", "no comic 7"), ("x", "whole number"),
      ] {
        let rejection = try await bench.get("/api/comics/\(number)/explanation")
        #expect(rejection.status == (number == "x" ? .badRequest : .notFound))
        let problem = try JSONDecoder().decode(SentProblem.self, from: Data(rejection.text.utf8))
        #expect(problem.detail.contains(reason), "\(problem.detail)")
      }
    }
  }

  @Test func `are fetched on request, shown, and linked on the comic's page`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      let before = try await bench.get("/3/")
      #expect(before.text.contains("Not downloaded yet."))
      let page = try await bench.get("/3/explanation")
      #expect(page.status == .ok)
      #expect(page.text.contains("<p>Bread <em>3</em> rises"))
      #expect(page.text.contains("As of 30 September 2025"))
      #expect(!page.text.contains("rises <script"))
      let after = try await bench.get("/3/")
      #expect(
        after.text.contains(#"<p class="lead">Bread 3 rises"#),
        "the page that was kept is not given again"
      )
      #expect(!before.text.contains("rises") && !after.text.contains("<em>3</em>"))
      #expect(try await bench.get("/4/explanation").text.contains("They call it incomplete."))
      let missing = try await bench.get("/6/explanation")
      #expect(missing.status == .notFound)
      #expect(missing.text.contains("There is no explanation of this comic yet."))
      #expect(try await bench.get("/404/explanation").status == .notFound)
      #expect(try await bench.get("/7/explanation").status == .notFound)
      #expect(try await bench.get("/03/explanation").status == .notFound)
    }
  }

  @Test func `bring the topics of comics to pages, searches, the catalogue and devices`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      for number in 1...6 { #expect(try await bench.get("/\(number)/").status == .ok) }
      #expect(try await bench.get("/topics/dough").status == .notFound)
      while case .worked = try await bench.catalog.refresher.explanationStep() {}
      let page = try await bench.get("/topics/dough")
      #expect(page.status == .ok)
      #expect(page.text.contains("5 comics") && !page.text.contains(#"id="c6""#))
      #expect(try await bench.get("/topics").text.contains(#"href="/topics/dough""#))
      #expect(try await bench.get("/3/").text.contains(#"href="/topics/dough"><bdi>Dough</bdi>"#))
      #expect(try await bench.get("/opds").text.contains(#"/opds/topics""#))
      #expect(try await bench.get("/opds/topics").text.contains(#"/opds/topics/dough""#))
      for path in ["/opds/topics/dough", "/opds/topics/Dough"] {
        let part = try await bench.get(path).text
        #expect(part.contains("<opensearch:totalResults>5</opensearch:totalResults>"), "\(path)")
        #expect(!part.contains("/6/comic.cbz"), "\(path)")
      }
      #expect(try await bench.get("/opds/topics/nothing").status == .notFound)
      #expect(try await bench.get("/search?q=-about%3Adough+1-6&deep=0").text.contains("1 comic"))
      let archive = try Archive(Segment(try await bench.get("/archive").bytes))
      #expect(archive.topic("dough")?.count == 5)
    }
  }

  @Test func `are sent to devices, one or all changed ones`() async throws {
    struct Chunk: Decodable {
      struct Text: Decodable {
        var comic: Int
        var beginning: String
        var whole: String
      }
      var count: Int
      var change: Int
      var isLast: Bool
      var explanations: [Text]
    }
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      func chunk(_ query: String) async throws -> Chunk {
        try JSONDecoder().decode(Chunk.self, from: Data(try await bench.get("/explanations?\(query)").bytes))
      }
      while case .worked = try await bench.catalog.refresher.explanationStep() {}
      let all = try await chunk("since=0&samples=0")
      #expect(all.count == 5 && all.isLast)
      #expect(all.explanations.map(\.comic).sorted() == [1, 2, 3, 4, 5])
      let third = try #require(all.explanations.first { $0.comic == 3 })
      #expect(third.beginning.contains("Bread 3 rises") && third.whole.contains("<em>3</em>"))
      #expect(try await chunk("since=\(all.change)&samples=0").explanations.isEmpty)
      #expect(try await chunk("since=999&samples=0").explanations.count == 5, "a server that was restored")
      #expect(try await chunk("since=\(all.change)&samples=1").explanations.count == 5, "another box")
      #expect(try await bench.get("/explanations/3").status == .notFound, "the comic is not known yet")
      _ = try await bench.get("/3/")
      #expect(try await bench.get("/explanations/3").status == .ok)
      #expect(try await bench.get("/explanations/6").status == .notFound)
      #expect(try await bench.get("/explanations/x").status == .notFound)
    }
  }

  @Test func `are searched, and shown with the words marked`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      _ = try await bench.get("/3/")
      #expect(try await bench.get("/search?q=rises&deep=1").text.contains("No comics."))
      while case .worked = try await bench.catalog.refresher.explanationStep() {}
      let page = try await bench.get("/search?q=rises&deep=1").text
      #expect(page.contains("Explanation:") && page.contains("Bread 3 <mark>rises</mark>"), "\(page)")
      #expect(!page.contains("<script>."))
      let titles = try await bench.get("/search?q=rises&deep=0&form=1").text
      #expect(titles.contains(">Not in titles.<"))
      #expect(
        titles.split(separator: "In the texts</h2>").last?.contains("Bread 3 <mark>rises</mark>") == true
      )
      let answer = try await bench.get("/api/search?q=rises")
      let hit = try #require(
        try JSONDecoder().decode(SentResults.self, from: Data(answer.bytes)).results.first
      )
      #expect(hit.number == 3 && hit.match.field == "explanation")
      #expect(hit.match.pieces.filter(\.marked).map(\.text) == ["rises"])
    }
  }

  @Test func `have an index for devices, complete or as a delta`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      while case .worked = try await bench.catalog.refresher.explanationStep() {}
      let answer = try await bench.get("/explanations/index?since=0&rules=0&samples=0")
      #expect(answer.headers[.contentType] == "application/octet-stream")
      #expect(answer.headers[.cacheControl] == "no-cache" && answer.headers[.eTag] != nil)
      let index = try ExplanationIndex(Segment(answer.bytes))
      #expect(index.count == 5)
      let known = "since=\(index.revision)&rules=\(index.rules)&samples="
      #expect(try await bench.get("/explanations/index?\(known)0").status == .noContent)
      #expect(try await bench.get("/explanations/index?\(known)1").bytes == answer.bytes, "another box")
      #expect(try await bench.get("/explanations/index?since=x").bytes == answer.bytes)
      for coding in ContentCoding.allCases {
        let compressed = try await bench.get("/explanations/index", [.acceptEncoding: coding.rawValue])
        #expect(compressed.headers[.contentEncoding] == coding.rawValue)
        #expect(try await decompressed(compressed.bytes, coding) == answer.bytes)
      }
    }
  }

  @Test(arguments: [
    Fault.Kind.status(200, retryAfter: "5", body: #"{"error":{"code":"maxlag","info":"9 seconds lagged."}}"#),
    .status(200, retryAfter: nil, body: #"{"error":{"code":"ratelimited","info":"Slow down."}}"#),
    .status(200, retryAfter: nil, body: #"{"error":{"code":"internal_api_error_DBQueryError"}}"#),
    .status(503, retryAfter: nil, body: nil), .html, .reset, .cut(after: 40), .empty,
  ])
  func `are reported as missing if the wiki fails, and load later`(kind: Fault.Kind) async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      let id = bench.replayed.plan.add(Fault(kind: kind, match: FaultMatch(source: "explain")))
      let page = try await bench.get("/2/explanation")
      #expect(page.status == .serviceUnavailable)
      #expect(page.text.contains("explain xkcd isn’t answering right now."))
      #expect(try await bench.get("/explanations/2").status.code >= 500)
      guard case .sourceDown = try await bench.catalog.refresher.explanationStep() else {
        Issue.record("the fill does not notice")
        return
      }
      let uses = bench.replayed.plan.entries.first { $0.id == id }?.uses
      #expect(uses ?? 0 > 0, "The fault was applied.")
      #expect(try await bench.get("/2/").status == .ok, "a comic's page waits for no wiki")
      bench.replayed.plan.clear()
      await eventually {
        bench.time.advance(by: 60)
        return (try? await bench.get("/2/explanation").status) == .ok
      }
      // The explanation may arrive after its request timed out, and increment the generation later.
      await eventually { (try? await bench.get("/2/").text.contains("Bread 2 rises")) == true }
    }
  }
}
