// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import TestSupport
import Testing

@testable import LongboxUpstream

/// Real replies of other wikis, and real pages in replies as explain xkcd would send them.
@Suite(
  "Recorded replies of MediaWiki",
  .enabled(if: RecordedData.isPresent, "needs the recorded data that LONGBOX_SHARED names")
)
struct RecordedMediaWikiTests {
  private func sample(_ name: String) throws -> [UInt8] {
    let folder = try #require(RecordedData.folder)
    return Array(try Data(contentsOf: folder.appending(path: "mediawiki/samples/\(name).json")))
  }

  @Test(arguments: [
    ("query-revisions-wikitext.v2", "User:Mhollo/sandbox", 14),
    ("query-revisions-full.v1", "Edsger W. Dijkstra", 19_651),
    ("query-revisions-section0.v1", "Edsger W. Dijkstra", 2105),
  ])
  func `have their text`(name: String, title: String, length: Int) throws {
    let reply = try WikiReply(json: sample(name))
    let page = try #require(reply.pages.first)
    #expect(page.title == title)
    #expect(page.wikitext?.utf8.count == length)
    // They were requested with `rvlimit`, so they continue with the page's history.
    #expect(reply.continuation?.isEmpty == false)
  }

  @Test func `name redirects, missing pages, and the continuation`() throws {
    let redirected = try WikiReply(json: sample("query-info-redirect-normalized.v1"))
    #expect(redirected.normalized == ["arya": "Arya"])
    #expect(redirected.redirects == ["Arya": "Arya Stark"])
    #expect(try WikiReply(json: sample("query-pageids-missing.v1")).pages.isEmpty)
    #expect(
      try WikiReply(json: sample("query-imageinfo-missing-file.2026.v1")).pages.map(\.isMissing) == [true]
    )
    #expect(
      try WikiReply(json: sample("query-links-plcontinue.v2")).continuation
        == ["plcontinue": "144146|0|Perl_Data_Language", "continue": "||"]
    )
  }

  @Test(arguments: [
    ("error-maxlag.v1", UpstreamError.rateLimited(.explain, retryAfter: .seconds(5))),
    ("error-missingtitle.v1", .notFound(.explain, subject: "comic 7")),
    (
      "error-unknown_action.v2",
      .malformed(
        .explain,
        at: "comic 7: it answers “unknown_action”: Unrecognized value for parameter \"action\": oscillate."
      )
    ),
  ])
  func `can be errors`(name: String, expected: UpstreamError) async throws {
    let script = ScriptedTransport(.reply(200, body: try sample(name)))
    var exchange = try Exchange.sample()
    exchange.source = .explain
    await #expect(throws: expected) { try await SourceClient(over: script.transport).send(exchange) }
  }

  @Test func `return every recorded page, fifty at a time`() async throws {
    let pages = try RecordedData.explainPages()
    #expect(pages.count == 2735)
    let byTitle = Dictionary(uniqueKeysWithValues: pages.map { ("\($0.num)", $0) })
    let transport = Transport { exchange throws(UpstreamError) in
      let query = exchange.address.target
      let titles = query.split(separator: "titles=").last?.prefix { $0 != "&" }.split(separator: "%7C") ?? []
      let found = titles.compactMap { byTitle[String($0)] }
      let body = WikiReplyBody(
        redirects: found.map { .init(from: "\($0.num)", to: $0.title) },
        pages: found.map { .init(title: $0.title, revisions: [.init(revid: 1, content: $0.wikitext)]) }
      )
      guard let json = try? JSONEncoder().encode(["query": body]) else { throw .cancelled }
      return Reply(status: 200, body: Array(json), address: exchange.address)
    }
    let client = ExplainClient(transport: transport)
    let numbers = (1...3174).compactMap { Comic.Number($0) }
    let lookups = try await client.pages(about: numbers, isBackground: true)
    #expect(lookups.count == numbers.count)
    for number in numbers {
      switch lookups[number] {
      case .page(let page): #expect(page.wikitext == byTitle["\(number.value)"]?.wikitext)
      case .missing: #expect(byTitle["\(number.value)"] == nil, "\(number.value)")
      case .tooLong, nil: Issue.record("no result for \(number.value)")
      }
    }
  }
}

/// The part of a reply that the client reads, as MediaWiki writes it.
private struct WikiReplyBody: Encodable {
  struct Step: Encodable {
    let from: String
    let to: String
  }

  struct Page: Encodable {
    struct Revision: Encodable {
      let revid: Int
      let content: String
    }

    let title: String
    let revisions: [Revision]
  }

  let redirects: [Step]
  let pages: [Page]
}
