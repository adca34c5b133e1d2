// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxUpstream

@Suite("The client of explain xkcd") struct ExplainClientTests {
  private func client(_ script: ScriptedTransport, limits: ExplainClient.Limits = .init()) -> ExplainClient {
    ExplainClient(transport: script.transport, limits: limits)
  }

  private func numbers(_ values: Int...) throws -> [Comic.Number] {
    try values.map { try #require(Comic.Number($0)) }
  }

  /// The wiki's reply for one comic, in format version 2 with slots.
  private static func reply(_ number: Int, _ wikitext: String = "text") -> [UInt8] {
    reply(
      redirects: [("\(number)", "\(number): Bread")],
      pages:
        #"{"pageid":1,"ns":0,"title":"\#(number): Bread","revisions":[{"revid":17,"timestamp":"2026-08-07T13:04:05Z","slots":{"main":{"content":"\#(wikitext)"}}}]}"#
    )
  }

  private static func reply(
    redirects: [(String, String)] = [],
    continuation: String? = nil,
    pages: String
  ) -> [UInt8] {
    let steps = redirects.map { #"{"from":"\#($0)","to":"\#($1)"}"# }.joined(separator: ",")
    let rest = continuation.map { #""continue":\#($0),"# } ?? #""batchcomplete":true,"#
    return Array(#"{\#(rest)"query":{"redirects":[\#(steps)],"pages":[\#(pages)]}}"#.utf8)
  }

  @Test func `requests a comic by number, and returns the page's name and text`() async throws {
    let script = ScriptedTransport(.reply(200, body: Self.reply(7)))
    let page = try await client(script).page(about: numbers(7)[0])
    #expect(
      page
        == ExplainPage(title: "7: Bread", revision: 17, timestamp: "2026-08-07T13:04:05Z", wikitext: "text")
    )
    #expect(
      script.exchanges.map(\.address.description) == [
        "https://www.explainxkcd.com/wiki/api.php?action=query&format=json&formatversion=2&prop=revisions"
          + "&rvprop=ids%7Ctimestamp%7Ccontent&rvslots=main&redirects=1&titles=7"
      ]
    )
  }

  @Test func `requests fifty pages at a time, with maxlag in the background`() async throws {
    let script = ScriptedTransport(.reply(200, body: Self.reply(pages: "")))
    let all = try (1...120).map { try #require(Comic.Number($0)) }
    let lookups = try await client(script).pages(about: all, isBackground: true)
    #expect(lookups.count == 120)
    #expect(lookups.values.allSatisfy { $0 == .missing })
    #expect(script.exchanges.map(\.titles.count) == [50, 50, 20])
    #expect(script.exchanges.allSatisfy { $0.address.target.hasSuffix("&maxlag=5") })
  }

  @Test func `distinguishes pages from missing ones and from pages about something else`() async throws {
    let body = Self.reply(
      redirects: [("7", "7: Bread"), ("8", "Bread (disambiguation)"), ("9", "10"), ("10", "9")],
      pages: """
        {"ns":0,"title":"7: Bread","revisions":[{"slots":{"main":{"content":"seven"}}}]},\
        {"ns":0,"title":"Bread (disambiguation)","revisions":[{"slots":{"main":{"content":"many"}}}]},\
        {"ns":0,"title":"11","missing":true},\
        {"title":"12","invalid":true},\
        {"ns":0,"title":"13: Hidden","revisions":[{"revid":4,"texthidden":true}]}
        """
    )
    let asked = try numbers(7, 8, 9, 10, 11, 12, 13, 14)
    let lookups = try await client(ScriptedTransport(.reply(200, body: body))).pages(about: asked)
    #expect(
      lookups[asked[0]]
        == .page(ExplainPage(title: "7: Bread", revision: 0, timestamp: "", wikitext: "seven"))
    )
    for number in asked.dropFirst() { #expect(lookups[number] == .missing, "\(number.value)") }
    await #expect(throws: UpstreamError.notFound(.explain, subject: "explanation of comic 11")) {
      try await client(ScriptedTransport(.reply(200, body: body))).page(about: numbers(11)[0])
    }
  }

  @Test(arguments: [
    // Format version 2 without slots, as MediaWiki 1.30 sends it, with its warning.
    #"""
    {"batchcomplete":true,"warnings":{"query":{"warnings":"Unrecognized parameter: rvslots."}},"query":
    {"normalized":[{"fromencoded":false,"from":"7","to":"7 "}],"redirects":[{"from":"7 ","to":"7: Bread"}],
    "pages":[{"pageid":1,"ns":0,"title":"7: Bread","revisions":[{"revid":17,"parentid":2,"timestamp":"t",
    "contentformat":"text/x-wiki","contentmodel":"wikitext","content":"text"}]}]}}
    """#,
    // Format version 1, which older wikis send.
    #"""
    {"query":{"redirects":[{"from":"7","to":"7: Bread"}],"pages":{"-1":{"pageid":-1,"missing":""},
    "1":{"pageid":1,"ns":0,"title":"7: Bread","revisions":[{"revid":17,"timestamp":"t","*":"text"}]}}}}
    """#,
    "\n\n{\"query\":{\"pages\":[{\"title\":\"7\",\"revisions\":[{\"revid\":17,\"timestamp\":\"t\",\"slots\":{\"main\":{\"*\":\"text\"}}}]}]}}",
  ])
  func `reads old formats, too`(body: String) async throws {
    let page = try await client(ScriptedTransport(.reply(200, body: Array(body.utf8)))).page(
      about: numbers(7)[0]
    )
    #expect(page.wikitext == "text")
    #expect(page.revision == 17)
  }

  @Test func `continues until the wiki's reply is complete`() async throws {
    let script = ScriptedTransport(
      .reply(
        200,
        body: Self.reply(
          redirects: [("7", "7: Bread"), ("8", "8: Jam")],
          continuation: #"{"rvcontinue":"8|99","n":3,"continue":"||"}"#,
          pages: #"""
            {"title":"7: Bread","revisions":[{"revid":1,"slots":{"main":{"content":"seven"}}}]},{"title":"8: Jam"}
            """#
        )
      ),
      .reply(
        200,
        body: Self.reply(
          redirects: [("7", "7: Bread"), ("8", "8: Jam")],
          pages: #"""
            {"title":"7: Bread"},{"title":"8: Jam","revisions":[{"revid":2,"slots":{"main":{"content":"eight"}}}]}
            """#
        )
      )
    )
    let asked = try numbers(7, 8)
    let lookups = try await client(script).pages(about: asked)
    #expect(lookups.count == 2)
    for (number, text) in zip(asked, ["seven", "eight"]) {
      guard case .page(let page) = lookups[number] else {
        Issue.record("no page for \(number.value)")
        continue
      }
      #expect(page.wikitext == text)
    }
    #expect(script.exchanges.last?.address.target.hasSuffix("&continue=%7C%7C&n=3&rvcontinue=8%7C99") == true)
  }

  @Test func `does not continue into a page's history`() async throws {
    let script = ScriptedTransport(
      .reply(
        200,
        body: Self.reply(
          continuation: #"{"rvcontinue":"1|2"}"#,
          pages: #"{"title":"7","revisions":[{"revid":17,"content":"new"},{"revid":16,"content":"old"}]}"#
        )
      )
    )
    #expect(try await client(script).page(about: numbers(7)[0]).wikitext == "new")
    #expect(script.exchanges.count == 1)
  }

  @Test func `stops when the wiki's continuation does not end`() async throws {
    let script = ScriptedTransport(
      .reply(200, body: Self.reply(continuation: #"{"rvcontinue":"a"}"#, pages: ""))
    )
    await #expect(
      throws: UpstreamError.malformed(
        .explain,
        at: "explanation of comic 7: its continuation repeats the previous one"
      )
    ) { try await client(script).pages(about: numbers(7)) }

    let steps = (0..<9).map {
      ScriptedTransport.Step.reply(
        200,
        body: Self.reply(continuation: "{\"rvcontinue\":\($0)}", pages: #"{"title":"7"}"#)
      )
    }
    var limits = ExplainClient.Limits()
    limits.repliesPerBatch = 3
    let endless = ScriptedTransport(steps[0], steps[1], steps[2], steps[3])
    #expect(try await client(endless, limits: limits).pages(about: numbers(7)) == [:])
    #expect(endless.exchanges.count == 3)
  }

  @Test func `splits a request whose reply is too long, so that one page can't stop the others`() async throws
  {
    // The first of the four pages is enormous.
    let tooLong = ScriptedTransport.Step.failure(.rejected(.explain, .size(limit: 100)))
    let script = ScriptedTransport(
      tooLong,
      tooLong,
      tooLong,
      .reply(200, body: Self.reply(8)),
      .reply(200, body: Self.reply(9))
    )
    let asked = try numbers(7, 8, 9, 10)
    let lookups = try await client(script).pages(about: asked)
    #expect(lookups[asked[0]] == .tooLong(limit: 100))
    #expect(lookups.count == 4)
    #expect(script.exchanges.map(\.titles.count) == [4, 2, 1, 1, 2])
    await #expect(throws: UpstreamError.rejected(.explain, .size(limit: 100))) {
      try await client(ScriptedTransport(tooLong)).page(about: numbers(7)[0])
    }
  }

  @Test(arguments: [
    ("", "it is empty"),
    ("<!DOCTYPE html>", "it is an HTML page instead of JSON"),
    ("[]", "it is not one whole JSON object in UTF-8"),
    (#"{"query": {"pages": ["#, "it is not one whole JSON object in UTF-8"),
    ("{}", "its “query” is missing or of another kind"),
    (#"{"batchcomplete":true,"query":{}}"#, "its “pages” is missing or of another kind"),
    (#"{"query":{"pages":[{"title":7}]}}"#, "its “query.pages.Index 0.title” is missing or of another kind"),
  ])
  func `says what is wrong with a reply`(body: String, fault: String) async {
    await #expect(throws: UpstreamError.malformed(.explain, at: "explanation of comic 7: \(fault)")) {
      try await client(ScriptedTransport(.reply(200, body: Array(body.utf8)))).page(about: numbers(7)[0])
    }
  }
}

extension Exchange {
  /// The titles in the request.
  fileprivate var titles: [Substring] {
    let field = address.target.split(separator: "&").first { $0.hasPrefix("titles=") }
    return field?.dropFirst("titles=".count).split(separator: "%7C") ?? []
  }
}

@Suite("The address of explain xkcd") struct ExplainAddressesTests {
  @Test func `is the official one unless configured`() throws {
    #expect(try ExplainAddress(api: nil) == .standard)
    #expect(ExplainAddress.standard.api.description == "https://www.explainxkcd.com/wiki/api.php")
    #expect(
      ExplainAddress.standard.origins.map(\.description).sorted()
        == ["https://explainxkcd.com", "https://www.explainxkcd.com"]
    )
  }

  @Test func `can be configured, also on the loopback`() throws {
    let address = try ExplainAddress(api: "http://127.0.0.1:9000/explain/api.php")
    let question = address.pages(about: [1, 2], continuation: ["c": "a&b"], maximumLag: 3)
    #expect(question.description.hasPrefix("http://127.0.0.1:9000/explain/api.php?action=query&"))
    #expect(question.target.hasSuffix("&titles=1%7C2&maxlag=3&c=a%26b"))
    #expect(address.origins.contains(.init(scheme: .http, host: "127.0.0.1", port: 9000)))
  }

  @Test(arguments: ["explainxkcd.com", "", "https://a.b/?c", "ftp://a.b"])
  func `is rejected with the name of the setting`(value: String) {
    #expect(throws: SettingError.address(setting: "LONGBOX_EXPLAIN_URL", value: value)) {
      try ExplainAddress(api: value)
    }
  }
}
