// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import longbox_replay

@Suite struct `explain xkcd, played back` {
  private static let question =
    "action=query&format=json&formatversion=2&prop=revisions&rvprop=content&rvslots=main&redirects=1&titles="

  private struct Reply: Decodable {
    struct Query: Decodable {
      let redirects: [[String: String]]
      let pages: [Page]
    }

    struct Page: Decodable {
      struct Revision: Decodable {
        let slots: [String: [String: String]]
      }

      let title: String
      let missing: Bool?
      let revisions: [Revision]?
    }

    let query: Query?
    let error: [String: String]?
  }

  private func answer(_ bench: Bench, _ uri: String) async throws -> Reply {
    let response = try await bench.get(uri)
    #expect(response.status == .ok)
    return try JSONDecoder().decode(Reply.self, from: Data(response.body.readableBytesView))
  }

  @Test(arguments: ["/explain/api.php", "/explain/wiki/api.php", "/wiki/api.php"])
  func `returns several pages in one response`(path: String) async throws {
    try await withReplay { bench in
      let query = try #require(try await answer(bench, "\(path)?\(Self.question)1%7C2%7C859").query)
      #expect(query.pages.map(\.title) == ["1: Crate", "2", "859: ("])
      #expect(query.pages.map(\.missing) == [nil, true, nil])
      #expect(query.redirects == [["from": "1", "to": "1: Crate"], ["from": "859", "to": "859: ("]])
      #expect(
        query.pages[0].revisions?.first?.slots["main"]?["content"] == "==Explanation==\nA [[2: Café]]."
      )
    }
  }

  @Test func `has no page for a comic that is not published yet`() async throws {
    try await withReplay(latest: 859) { bench in
      let uri = "/explain/api.php?\(Self.question)1609"
      let before = try await answer(bench, uri)
      #expect(before.query?.pages.first?.missing == true)
      _ = try await bench.send(.post, "/_replay/publish", #"{"number": 1609}"#)
      let after = try await answer(bench, uri)
      #expect(after.query?.pages.first?.title == "1609: Latest")
    }
  }

  @Test func `reports errors with status 200`() async throws {
    try await withReplay { bench in
      let many = (1...51).map(String.init).joined(separator: "%7C")
      let tooMany = try await answer(bench, "/explain/api.php?\(Self.question)\(many)")
      #expect(tooMany.error?["code"] == "toomanyvalues")
      let other = try await answer(bench, "/explain/api.php?action=parse")
      #expect(other.error?["code"] == "badvalue")
      #expect(try await bench.get("/explain/other").status == .notFound)
    }
  }

  @Test func `has faults under its own name`() async throws {
    try await withReplay { bench in
      let fault =
        #"{"kind": "status", "status": 200, "source": "explain", "times": 1, "body": "{\"error\":{\"code\":\"maxlag\"}}"}"#
      _ = try await bench.send(.post, "/_replay/faults", fault)
      let uri = "/explain/api.php?\(Self.question)1"
      #expect(try await bench.get("/1/info.0.json").status == .ok)
      let reply = try await answer(bench, uri)
      #expect(reply.error == ["code": "maxlag"])
      let spared = try await answer(bench, uri)
      #expect(spared.query?.pages.count == 1)
    }
  }
}
