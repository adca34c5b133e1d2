// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxUpstream
import Testing

@testable import LongboxServer

@Suite("A shared link", .timeLimit(.minutes(10))) struct ShareTests {
  /// An oEmbed response with the required fields.
  private struct Reply: Decodable {
    var version: String
    var type: String
    var title: String
    var authorName: String
    var providerName: String
    var providerUrl: String
    var cacheAge: Int?
    var url: String?
    var html: String?
    var width: Int?
    var height: Int?
  }

  private func ask(_ bench: ServerBench, _ url: String, _ more: String = "") async throws -> TestResponse {
    let value = url.replacing(":", with: "%3A").replacing("/", with: "%2F").replacing("?", with: "%3F")
    return try await bench.get("/oembed?url=\(value)\(more)")
  }

  private func reply(_ response: TestResponse) throws -> Reply {
    #expect(response.status == .ok)
    #expect(response.headers[.contentType] == "application/json")
    #expect(response.headers[.accessControlAllowOrigin] == "*")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Reply.self, from: Data(response.bytes))
  }

  @Test func `has a preview with the address by which the reader came`() async throws {
    try await withServer { bench async throws in
      let plain = try await bench.get("/3/")
      #expect(plain.text.contains(#"<meta property="og:url" content="http://localhost/3/">"#))
      let secure = try await bench.get("/3/", [.named("X-Forwarded-Proto"): "https"])
      #expect(secure.text.contains(#"<meta property="og:url" content="https://localhost/3/">"#))
      #expect(try await bench.get("/3/").text == plain.text, "each address has its own")
    }
  }

  @Test(arguments: ["http://localhost/3/", "https://LOCALHOST/3", "http://localhost/3/?utm=1#x"])
  func `is embedded as a picture by other sites`(url: String) async throws {
    try await withServer { bench async throws in
      let reply = try reply(try await ask(bench, url, "&format=json&maxwidth=600&maxheight=400&dnt=1"))
      #expect(reply.version == "1.0" && reply.type == "photo")
      #expect(reply.title == "#3 Bread 3")
      #expect(reply.url?.hasPrefix("http://localhost/comics/3/image?v=") == true)
      #expect(reply.width == 6 && reply.height == 4 && reply.html == nil && reply.cacheAge == 86_400)
      #expect(reply.authorName == "Randall Munroe" && reply.providerUrl == "http://localhost/")
    }
  }

  @Test func `is embedded as smaller HTML if there is less room`() async throws {
    try await withServer { bench async throws in
      let reply = try reply(try await ask(bench, "http://localhost/", "&maxwidth=3"))
      #expect(reply.type == "rich" && reply.url == nil)
      #expect(reply.width == 3 && reply.height == 1)
      #expect(
        reply.html?.contains(#"<a href="http://localhost/6/"><img src="http://localhost/comics/6/image"#)
          == true
      )
    }
  }

  @Test func `is embedded as a link that sites don't keep while the picture is unknown`() async throws {
    try await withServer(storing: 6...6) { bench async throws in
      bench.xkcd.set(.status(500), at: "/comics/bread_2.png")
      let reply = try reply(try await ask(bench, "http://localhost/2/"))
      #expect(reply.type == "link" && reply.title == "#2 Bread 2")
      #expect(reply.cacheAge == nil)
    }
  }

  @Test func `of a comic that can't be fetched is not answered as if there were none`() async throws {
    try await withServer(storing: 6...6) { bench async throws in
      bench.xkcd.setEverywhere(.failure(.unreachable(.xkcd, reason: "no route")))
      let response = try await ask(bench, "http://localhost/2/")
      #expect(response.status == .serviceUnavailable)
      #expect(response.headers[.contentType] == "application/problem+json")
    }
  }

  @Test(arguments: [
    ("", 400), ("&format=json", 400),
    ("&url=http%3A%2F%2Flocalhost%2F3%2F&format=xml", 501),
    ("&url=http%3A%2F%2Flocalhost%2F3%2F&maxwidth=wide", 400),
    ("&url=http%3A%2F%2Flocalhost%2F3%2F&maxheight=0", 400),
    ("&url=http%3A%2F%2Felsewhere.example%2F3%2F", 404),
    ("&url=http%3A%2F%2Flocalhost.evil.example%2F3%2F", 404),
    ("&url=http%3A%2F%2Flocalhost%2F7%2F", 404), ("&url=http%3A%2F%2Flocalhost%2F404%2F", 404),
    ("&url=http%3A%2F%2Flocalhost%2Fabout", 404), ("&url=javascript%3Aalert(1)", 404), ("&url=%2F3%2F", 404),
  ])
  func `is rejected with the status that oEmbed specifies for the error`(query: String, status: Int)
    async throws
  {
    try await withServer { bench async throws in
      let response = try await bench.get("/oembed?x=1\(query)")
      #expect(response.status.code == status)
      #expect(response.headers[.contentType] == "application/problem+json")
    }
  }
}
