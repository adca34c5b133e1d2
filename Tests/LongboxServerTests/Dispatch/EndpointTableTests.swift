// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
import TestSupport

@testable import LongboxServer

@Suite("The table of endpoints", .timeLimit(.minutes(10))) struct EndpointTableTests {
  /// Addresses and the paths of their endpoints.
  private static let addresses = [
    ("/feed.atom", "feed.atom"), ("/feed.json", "feed.json"), ("/feeds", "feeds"),
    ("/feeds/favorites", "feeds/favorites"), ("/feeds/abc.atom", "feeds/{token}.atom"),
    ("/feeds/abc.json", "feeds/{token}.json"), ("/feeds/abc.rss", "feeds/**"), ("/feeds/abc", "feeds/**"),
    ("/feeds/rerun", "feeds/**"), ("/feeds/rerun/1/2026-11-21.atom", "feeds/rerun/{from}/{start}.atom"),
    ("/feeds/rerun/x/y.json", "feeds/rerun/{from}/{start}.json"),
    ("/feeds/rerun/1/2026-11-21", "feeds/**"), ("/feeds/rerun/1/2/3.atom", "feeds/**"), ("/opds", "opds"),
    ("/opds/latest", "opds/latest"), ("/opds/years", "opds/years"), ("/opds/years/2012", "opds/years/{year}"),
    ("/opds/search", "opds/search"), ("/opds/search.xml", "opds/search.xml"), ("/opds/none", "opds/**"),
    ("/353/comic.cbz", "{number}/comic.cbz"), ("/x/comic.cbz", "{number}/comic.cbz"),
    ("/feed.rss", "**"), ("/feed.atom/more", "**"), ("/", "**"), ("/353/", "**"),
    ("/comic.cbz", "**"), ("/353/comic.cbz/x", "**"), ("/353//comic.cbz/", "{number}/comic.cbz"),
    ("/api", "api/**"), ("/api/none", "api/**"), ("/api/comics/3", "api/comics/{number}"),
    ("/api/comics/3/none", "api/**"), ("/api/push/key", "api/push/key"), ("/apis", "**"),
    ("/albums/settings", "albums/settings"), ("/albums/saved", "**"),
    ("/albums/7", "**"), ("/albums/artists/7", "**"),
    ("/albums/7/cover", "albums/{album}/cover"), ("/explanations/index", "explanations/index"),
    ("/explanations/7", "explanations/{number}"), ("/comics/7/image@2x", "comics/{number}/image@2x"),
  ]

  private func withEndpoints(_ test: (EndpointTable) async throws -> Void) async throws {
    try await withCatalog(FakeXkcd(latest: 1)) { bench in
      try await test(ServerControllers(of: bench).endpoints)
    }
  }

  @Test func `finds the endpoint of an address`() async throws {
    try await withEndpoints { endpoints async throws in
      for (address, path) in Self.addresses {
        #expect(endpoints.match(.get, address)?.entry.pattern.text == path, "\(address)")
      }
    }
  }

  @Test func `finds the values of the parameters in an address`() async throws {
    try await withEndpoints { endpoints async throws in
      func parameters(_ address: String) -> [String: String] {
        let found = endpoints.match(.get, address)?.parameters.map { (String($0.key), String($0.value)) }
        return Dictionary(uniqueKeysWithValues: found ?? [])
      }
      #expect(parameters("/feeds/abc.atom?x") == ["token": "abc"])
      #expect(
        parameters("/feeds/rerun/1/2026-11-21.atom") == ["from": "1", "start": "2026-11-21"]
      )
      #expect(parameters("/comics/7/image@2x") == ["number": "7"])
      #expect(parameters("/albums/a%20b/cover") == ["album": "a%20b"])
      #expect(parameters("/353/") == [:])
    }
  }

  @Test func `agrees with Hummingbird’s router about every endpoint`() async throws {
    try await withEndpoints { endpoints async throws in
      let router = Router(context: ServerContext.self)
      for endpoint in endpoints.exactEndpoints {
        router.on(RouterPath(endpoint.path), method: endpoint.method) { _, _ in endpoint.path }
      }
      let examples = endpoints.exactEndpoints.map { ($0.example, $0.method) }
      try await Application(router: router, logger: .silent).test(.router) { client in
        for (address, method) in examples + Self.addresses.map({ ($0.0, .get) }) {
          let entry = try #require(endpoints.match(method, address)?.entry)
          let answer = try await client.execute(uri: address, method: method) { $0 }
          if entry.pattern.isCatchAll {
            #expect(answer.status == .notFound, "\(address)")
          } else {
            #expect(answer.text == entry.pattern.text, "\(method) \(address)")
          }
        }
      }
    }
  }
}

extension EndpointTable {
  fileprivate func match(_ method: HTTPRequest.Method, _ address: String) -> Match? {
    match(HTTPRequest(method: method, scheme: "http", authority: "localhost", path: address))
  }
}

extension Endpoint {
  /// An address that it matches.
  var example: String { "/" + path.replacing(/\{[a-z]+\}/, with: "3") }
}
