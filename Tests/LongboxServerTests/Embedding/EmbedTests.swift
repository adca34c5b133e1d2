// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCatalog
import LongboxCore
import LongboxReaders
import NIOCore
import Testing
import TestSupport

@testable import LongboxServer

@Suite("A comic in a frame on another site's page", .timeLimit(.minutes(10))) struct EmbedTests {
  private static func ancestors(_ sites: String...) -> FrameAncestors {
    var ancestors = FrameAncestors()
    for site in sites {
      let isAdded = ancestors.add(site)
      #expect(isAdded, "\(site)")
    }
    return ancestors
  }

  private func policy(of answer: TestResponse) throws -> [String] {
    try #require(answer.headers[.contentSecurityPolicy]).components(separatedBy: "; ")
  }

  @Test func `opens in Longbox in a new tab, and has no scripts`() async throws {
    try await withServer { bench async throws in
      let answer = try await bench.get("/embed/3")
      #expect(answer.status == .ok && answer.headers[.contentType] == "text/html; charset=utf-8")
      #expect(answer.text.contains("<a href=\"/3/\" target=\"_blank\" rel=\"noopener\" title=\"It rose.\">"))
      #expect(answer.text.contains("src=\"/comics/3/image?v="))
      #expect(answer.text.contains("#3 Bread 3 · xkcd by Randall Munroe, CC BY-NC 2.5"))
      #expect(!answer.text.contains("<script") && !answer.text.contains("key="))
      #expect(answer.headers[.named("referrer-policy")] == "no-referrer")
      #expect(answer.headers[.setCookie] == nil)
    }
  }

  @Test func `may be framed by Longbox's own pages alone, unless the operator names others`() async throws {
    try await withServer { bench async throws in
      #expect(try policy(of: try await bench.get("/embed/3")).last == "frame-ancestors 'self'")
    }
    let sites = Self.ancestors("https://dash.example.org", "http://192.168.1.5:8080")
    try await withServer(framedBy: sites) { bench async throws in
      let framed = "frame-ancestors 'self' https://dash.example.org http://192.168.1.5:8080"
      for path in ["/embed/3", "/embed/latest", "/embed/random", "/embed/nonsense"] {
        let answer = try await bench.get(path)
        #expect(try policy(of: answer).last == framed, "\(path)")
        #expect(answer.headers[.named("x-frame-options")] == nil)
      }
      for path in ["/3/", "/", "/settings", "/embed", "/embed/3/more", "/sign-in"] {
        let answer = try await bench.get(path)
        let policy = answer.headers[.contentSecurityPolicy] ?? ""
        #expect(!policy.contains("dash.example.org"), "\(path)")
        #expect(policy.contains("frame-ancestors 'none'"), "\(path)")
      }
    }
  }

  @Test func `has a policy that allows its style sheet and pictures of this site only`() async throws {
    try await withServer { bench async throws in
      let answer = try await bench.get("/embed/3")
      #expect(answer.text.contains("<style>:root{") && !answer.text.contains("style="))
      // The test in a browser shows that the hash is that of the style sheet.
      let directives = try policy(of: answer).map {
        $0.replacing(/sha256-[A-Za-z0-9+\/]{43}=/, with: "sha256")
      }
      #expect(
        directives == [
          "default-src 'none'", "img-src 'self'", "style-src 'sha256'", "form-action 'none'",
          "base-uri 'none'",
          "frame-ancestors 'self'",
        ]
      )
    }
  }

  @Test func `is the latest, a random one, or one by its number`() async throws {
    try await withServer { bench async throws in
      let latest = try await bench.get("/embed/latest")
      #expect(latest.text.contains("#6 Bread 6") && latest.headers[.cacheControl] == "no-cache")
      let random = try await bench.get("/embed/random")
      #expect(random.status == .ok && random.text.contains("Bread "))
      #expect(random.headers[.cacheControl] == "no-store")
      // A dashboard's own parameter.
      #expect(try await bench.get("/embed/2?t=1700000000").text.contains("#2 Bread 2"))
      for path in ["/embed/7", "/embed/0", "/embed/-1", "/embed/Latest", "/embed/%3Cb%3E"] {
        let answer = try await bench.get(path)
        #expect(answer.status == .notFound && answer.headers[.cacheControl] == "no-store", "\(path)")
        #expect(answer.text.contains("a number from 1 to 6") && !answer.text.contains("<b>"), "\(path)")
      }
    }
  }

  @Test func `is sent again only if it has changed`() async throws {
    try await withServer { bench async throws in
      let tag = try #require(try await bench.get("/embed/latest").headers[.eTag])
      let again = try await bench.get("/embed/latest", [.ifNoneMatch: tag])
      #expect(again.status == .notModified && again.body.readableBytes == 0)
      #expect(try policy(of: again).last == "frame-ancestors 'self'")
    }
  }

  @Test func `says where a comic without a picture works`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    xkcd.set(HandmadeRecord.raw(5, title: "5 < 6 & 7", image: ""), for: 5)
    try await withServer(xkcd) { bench async throws in
      let answer = try await bench.get("/embed/5")
      #expect(answer.status == .ok && answer.text.contains("This comic only works on xkcd.com."))
      #expect(answer.text.contains("href=\"/5/\"") && !answer.text.contains("<img"))
      #expect(answer.text.contains("5 &lt; 6 &amp; 7"))
      // A random one always has a picture.
      let comics = EmbeddedComics(catalog: bench.back.catalog, timeout: .seconds(600), random: { _ in 5 })
      await #expect(throws: Problem(.notFound, "No comic with a picture was found.")) {
        try await comics.random(for: .unknown)
      }
      let last = EmbeddedComics(catalog: bench.back.catalog, timeout: .seconds(600)) { $0.upperBound }
      #expect(try await last.random(for: .unknown).number.value == 6)
    }
  }

  @Test(arguments: [
    ("https://dash.example.org", "https://dash.example.org"),
    ("https://dash.example.org/", "https://dash.example.org"),
    ("HTTP://Dash.local:3000", "http://dash.local:3000"), ("https://a.example:443", "https://a.example"),
    ("https://*.example.org", "https://*.example.org"), ("http://10.0.0.2:8123", "http://10.0.0.2:8123"),
  ])
  func `names sites as policies spell them`(site: String, source: String) {
    #expect(Self.ancestors(site, site).sources == "'self' \(source)")
  }

  @Test(arguments: [
    "", "dash.example.org", "https://", "https://a.example/path", "https://a.example; script-src *",
    "https://a b", "'none'", "'self'", "https://u:p@a.example", "ftp://a.example", "https://*", "**", "data:",
    "https://[::1]:80", "https://a.example?x", "https://a.*.example", "https://a\r\nb",
  ])
  func `takes no site that a policy can't name`(site: String) {
    var ancestors = FrameAncestors()
    let isAdded = ancestors.add(site)
    #expect(!isAdded)
    #expect(ancestors.sources == "'self'")
  }

  @Test func `may be framed by all sites, or by a bounded number`() {
    #expect(Self.ancestors("https://a.example", "*").sources == "*")
    var many = FrameAncestors()
    let added = (0..<FrameAncestors.most).filter { many.add("https://a\($0).example") }
    #expect(added.count == FrameAncestors.most)
    let isAdded = many.add("https://more.example")
    #expect(!isAdded)
  }
}
