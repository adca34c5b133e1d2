// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LongboxStore
import NIOCore
import Testing
import TestSupport

@testable import LongboxServer

@Suite("A reader's library on the server") struct LibraryTests {
  @Test func `is created by the first form, not before`() async throws {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      #expect(try await browser.get("/5/").headers[.setCookie] == nil)
      #expect(try await bench.back.store.usage().libraries == 0)
      let answer = try await browser.send("/favorites/set", "comic=5&on=yes&back=/5/")
      #expect(answer.status == .seeOther)
      #expect(answer.headers[.location] == "/5/")
      #expect(try await bench.back.store.usage().libraries == 1)
      let cookie = try #require(answer.headers[.setCookie])
      #expect(
        cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Lax") && cookie.contains("; Path=/")
      )
      #expect(!cookie.contains("Secure"), "the connection is not encrypted")
      #expect(try await browser.get("/favorites").text.contains("href=\"/5/?in=favorites\""))
    }
  }

  @Test func `is private to one reader`() async throws {
    try await withServer { bench async throws in
      var one = Browser(bench: bench)
      var other = Browser(bench: bench)
      _ = try await one.send("/favorites/set", "comic=5&on=yes")
      _ = try await other.send("/favorites/set", "comic=6&on=yes")
      #expect(one.cookie != other.cookie)
      let page = try await one.get("/favorites")
      #expect(
        page.text.contains("href=\"/5/?in=favorites\"") && !page.text.contains("href=\"/6/?in=favorites\"")
      )
      #expect(page.headers[.cacheControl] == "private, no-cache")
      #expect(page.headers[.vary]?.contains("Cookie") == true)
      #expect(
        try await !bench.get("/favorites").text.contains("href=\"/5/?in=favorites\""),
        "a stranger sees none"
      )
    }
  }

  @Test(arguments: ["Purpose", "Sec-Purpose"])
  func `does not track pages that are prefetched`(name: String) async throws {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      _ = try await browser.send("/favorites/set", "comic=5&on=yes")
      for path in ["/3/", "/4/"] {
        let headers: HTTPFields = path == "/3/" ? [.named(name): "prefetch"] : [:]
        #expect(try await browser.get(path, headers).status == .ok)
      }
      let unread = try await browser.get("/comics?unread=1").text
      #expect(unread.contains("href=\"/3/?in=unread\"") && !unread.contains("href=\"/4/?"))
    }
  }

  @Test func `survives a restart`() async throws {
    let folder = TemporaryFolder()
    var cookie: String?
    for isFirst in [true, false] {
      let known = cookie
      cookie = try await withBrowser(in: folder, cookie: known) { browser async throws in
        if isFirst { _ = try await browser.send("/favorites/set", "comic=4&on=yes") }
        #expect(try await browser.get("/favorites").text.contains("href=\"/4/?in=favorites\""))
      }
    }
  }

  /// Headers of forms from other sites, or from unknown ones.
  @Test(
    arguments: [
      [:], [.origin: "http://evil.example"], [.origin: "null"], [.origin: "http://localhost.evil.example"],
      [.origin: "localhost"],
    ] as [HTTPFields]
  )
  func `rejects forms from other sites`(headers: HTTPFields) async throws {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      #expect(try await browser.send("/favorites/set", "comic=5&on=yes", headers).status == .forbidden)
      #expect(try await bench.back.store.usage().libraries == 0)
    }
  }

  /// What a form's header has, and whether a proxy may have replaced its host.
  @Test(
    arguments: [
      ([.origin: "https://comics.example.org"], true), ([.referer: "http://comics.example.org/5/"], true),
      ([.origin: "https://comics.example.org", .named("Sec-Fetch-Site"): "same-origin"], true),
      ([.origin: "https://comics.example.org", .named("Sec-Fetch-Site"): "cross-site"], false),
      ([.origin: "null"], false), ([:], false),
    ] as [(HTTPFields, Bool)]
  )
  func `says once what a proxy must pass on if it replaces the host`(
    headers: HTTPFields,
    mayBeProxy: Bool
  ) async throws {
    let log = LogRecorder()
    try await withServer(logger: log.logger) { bench async throws in
      var browser = Browser(bench: bench)
      for _ in 0..<3 {
        let answer = try await browser.send("/favorites/set", "comic=5&on=yes", headers)
        #expect(answer.status == .forbidden)
        #expect(answer.text.contains("docs/proxies.md") == mayBeProxy)
      }
    }
    #expect(log.count(of: .replacedHost) == (mayBeProxy ? 1 : 0))
    let line = log.lines.first { $0.text == Incident.replacedHost.sentence }
    #expect(line?.last == (mayBeProxy ? "comics.example.org, sent as localhost" : nil))
  }

  /// Text browsers send no other field.
  @Test(
    arguments: [
      ("http://localhost/5/", true), ("http://LOCALHOST?a", true), ("http://localhost", true),
      ("http://localhost.evil.example/", false), ("http://evil.example/http://localhost/", false),
      ("localhost", false),
    ]
  )
  func `accepts the address of a page instead of Origin`(page: String, isOwn: Bool) async throws {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      let status = try await browser.send("/favorites/set", "comic=5&on=yes", [.referer: page]).status
      #expect(status == (isOwn ? .seeOther : .forbidden))
      let cross: HTTPFields = [.referer: "http://localhost/5/", .named("Sec-Fetch-Site"): "cross-site"]
      #expect(try await browser.send("/favorites/set", "comic=5&on=yes", cross).status == .forbidden)
    }
  }

  @Test func `accepts Sec-Fetch-Site instead of Origin`() async throws {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      let same: HTTPFields = [.named("Sec-Fetch-Site"): "same-origin"]
      #expect(try await browser.send("/favorites/set", "comic=5&on=yes", same).status == .seeOther)
      let cross: HTTPFields = [.named("Sec-Fetch-Site"): "cross-site"]
      #expect(try await browser.send("/favorites/set", "comic=5&on=yes", cross).status == .forbidden)
    }
  }

  private static let secure: HTTPFields = [
    .origin: "https://localhost", .named("X-Forwarded-Proto"): "https",
  ]

  @Test func `has a cookie behind a proxy with TLS that plain HTTP can't set`() async throws {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      let answer = try await browser.send("/favorites/set", "comic=5&on=yes", Self.secure)
      let given = try #require(answer.headers[.setCookie])
      #expect(given.hasPrefix("__Host-library=") && given.contains("; Secure") && given.contains("; Path=/;"))
      let mine = try #require(browser.cookie)
      let planted = "library=\(LibraryCookie().value)"
      for cookies in ["\(planted); \(mine)", "\(mine); \(planted)"] {
        browser.cookie = cookies
        let page = try await browser.get("/favorites", Self.secure)
        #expect(page.text.contains("href=\"/5/?in=favorites\""))
        #expect(page.headers[values: .setCookie].count == 1, "the other is left alone")
      }
    }
  }

  @Test func `moves the cookie of an earlier version to the name for HTTPS, once`() async throws {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      _ = try await browser.send("/favorites/set", "comic=5&on=yes")
      let old = try #require(browser.cookie)
      let page = try await browser.get("/favorites", Self.secure)
      #expect(page.text.contains("href=\"/5/?in=favorites\""))
      let given = page.headers[values: .setCookie]
      #expect(given.first?.hasPrefix("__Host-\(old);") == true)
      #expect(given.dropFirst().map { String($0.prefix(29)) } == ["library=; Path=/; Max-Age=0; "])
      #expect(try await browser.get("/favorites").headers[values: .setCookie].count == 1, "not without HTTPS")
      #expect(try await bench.back.store.usage().libraries == 1)
    }
  }

  @Test func `rejects forms of unencrypted pages if the connection is encrypted`() async throws {
    try await withServer { bench async throws in
      var browser = Browser(bench: bench)
      let headers: HTTPFields = [.origin: "http://localhost", .named("X-Forwarded-Proto"): "https"]
      #expect(try await browser.send("/favorites/set", "comic=5&on=yes", headers).status == .forbidden)
    }
  }

  @Test(arguments: [
    "library=", "library=x", "library=" + String(repeating: "A", count: 43),
    "library=" + String(repeating: "=", count: 43),
    "other=1", "library=\"; DROP TABLE library",
  ])
  func `is not created by an invented cookie`(cookie: String) async throws {
    try await withServer { bench async throws in
      let page = try await Browser(bench: bench, cookie: cookie).get("/favorites")
      #expect(page.status == .ok)
      #expect(page.headers[.setCookie] == nil)
      #expect(try await bench.back.store.usage().libraries == 0)
    }
  }

  @Test func `loses nothing if many forms arrive at once`() async throws {
    try await withServer(FakeXkcd(latest: 6)) { bench async throws in
      var browser = Browser(bench: bench)
      _ = try await browser.send("/favorites/set", "comic=1&on=yes")
      let cookie = browser.cookie
      try await withThrowingTaskGroup(of: Void.self) { group in
        for comic in 2...40 {
          group.addTask {
            var browser = Browser(bench: bench, cookie: cookie)
            _ = try await browser.send("/favorites/set", "comic=\(comic)&on=yes")
          }
        }
        try await group.waitForAll()
      }
      let page = try await browser.get("/favorites").text
      for comic in 1...40 { #expect(page.contains("href=\"/\(comic)/?in=favorites\""), "comic \(comic)") }
    }
  }

  private func withBrowser(
    in folder: TemporaryFolder,
    cookie: String?,
    _ body: @Sendable (inout Browser) async throws -> Void
  ) async throws -> String? {
    let kept = Kept()
    try await withServer(in: folder) { bench async throws in
      var browser = Browser(bench: bench, cookie: cookie)
      try await body(&browser)
      await kept.keep(browser.cookie)
    }
    return await kept.cookie
  }
}

private actor Kept {
  var cookie: String?

  func keep(_ cookie: String?) {
    self.cookie = cookie
  }
}
