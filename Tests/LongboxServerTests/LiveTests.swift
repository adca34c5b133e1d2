// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import LongboxCatalog
import LongboxCore
import Synchronization
import Testing
import TestSupport

@testable import LongboxServer

@Suite("The server on a socket", .timeLimit(.minutes(10))) struct LiveTests {
  private func withSocket(
    hosts: HostNames = HostNames(),
    trusting proxies: TrustedProxies = TrustedProxies(),
    at site: SiteAddress = SiteAddress(),
    logger: Logger = .silent,
    _ test: @Sendable (any TestClientProtocol, Int) async throws -> Void
  ) async throws {
    try await withCatalog(FakeXkcd(latest: 3)) { back in
      var settings = ServerSettings(port: 0)
      settings.trustedProxies = proxies
      settings.site = site
      let application = Server.application(
        catalog: back.catalog,
        store: back.store,
        settings: settings,
        network: NetworkAccess(gate: AccessGate(allowedHosts: hosts)),
        now: { back.time.now },
        logger: logger
      )
      try await application.test(.live) { client in
        let port = try #require(client.port)
        try await test(client, port)
      }
    }
  }

  @Test func `serves while it fetches comics`() async throws {
    try await withSocket { client, _ async throws in
      try await eventually {
        try await client.execute(uri: "/3/", method: .get) {
          $0.status == .ok && $0.text.contains("height=\"4\"")
        }
      }
      let picture = try await client.execute(uri: "/comics/1/image", method: .get) { $0 }
      #expect(picture.bytes == HandmadeRecord.picture(1))
      let gzip = try await client.execute(uri: "/", method: .get, headers: [.acceptEncoding: "gzip"]) { $0 }
      #expect(gzip.headers[.contentEncoding] == "gzip")
      #expect(gzip.headers[.contentLength] == "\(gzip.body.readableBytes)")
    }
  }

  @Test func `answers HEAD with the length and no body`() async throws {
    try await withSocket { client, port async throws in
      try await eventually { try await client.execute(uri: "/3/", method: .get) { $0.status == .ok } }
      let length = HandmadeRecord.picture(3).count
      let answer = try await RawExchange.send(
        "HEAD /comics/3/image HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
        port: port
      )
      #expect(answer.text.lowercased().contains("content-length: \(length)\r\n"))
      #expect(answer.text.hasSuffix("\r\n\r\n"))
    }
  }

  @Test func `rejects an address that is too long, and disconnects`() async throws {
    try await withSocket { client, port async throws in
      let path = "/" + String(repeating: "a", count: 5_000)
      let answer = try await RawExchange.send("GET \(path) HTTP/1.1\r\nhost: localhost\r\n\r\n", port: port)
      #expect(answer.text.hasPrefix("HTTP/1.1 414 "))
      #expect(answer.text.lowercased().contains("connection: close"))
      #expect(answer.text.lowercased().contains("x-content-type-options: nosniff"))
      #expect(try await client.execute(uri: "/healthz", method: .get) { $0.status } == .ok)
    }
  }

  @Test func `rejects a body by its announced length`() async throws {
    try await withSocket { client, port async throws in
      let answer = try await RawExchange.send(
        "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000000\r\n\r\n",
        port: port
      )
      #expect(answer.text.hasPrefix("HTTP/1.1 413 "))
      #expect(try await client.execute(uri: "/healthz", method: .get) { $0.status } == .ok)
    }
  }

  @Test func `disconnects on an endless body`() async throws {
    try await withSocket { client, port async throws in
      let portion = "1000\r\n" + String(repeating: "x", count: 4_096) + "\r\n"
      _ = try await RawExchange.send(
        "POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n",
        thenRepeating: portion,
        port: port
      )
      #expect(try await client.execute(uri: "/healthz", method: .get) { $0.status } == .ok)
    }
  }

  @Test(arguments: [
    ("host: localhost:8353\r\n", 200), ("host: a.localhost\r\n", 200), ("host: 192.0.2.1\r\n", 200),
    ("host: evil.example\r\n", 421), ("host: localhost.evil.example\r\n", 421),
    ("", 400), ("host:\r\n", 400), ("host: localhost\r\nhost: localhost\r\n", 400),
    ("host: localhost\r\nHOST: evil.example\r\n", 400),
  ])
  func `answers requests for its own names only`(fields: String, status: Int) async throws {
    try await withSocket { _, port async throws in
      let request = "GET /healthz HTTP/1.1\r\n\(fields)connection: close\r\n\r\n"
      let answer = try await RawExchange.send(request, port: port)
      #expect(answer.text.hasPrefix("HTTP/1.1 \(status) "), "\(answer.head)")
      #expect(answer.body.contains("LONGBOX_HOST_NAMES") == (status == 421))
    }
  }

  // The decoder reads nothing after a request with `connection: close`.
  @Test(arguments: [("", ["200", "421"]), ("connection: close\r\n", ["200"])])
  func `answers requests in order, also a rejected one`(fields: String, statuses: [String]) async throws {
    try await withSocket { _, port async throws in
      let requests = """
        GET /healthz HTTP/1.1\r\nhost: localhost\r\n\(fields)\r\n\
        GET /healthz HTTP/1.1\r\nhost: evil.example\r\n\r\n
        """
      let answers = try await RawExchange.send(requests, port: port).text
        .components(separatedBy: "HTTP/1.1 ").dropFirst()
      #expect(answers.map { String($0.prefix(3)) } == statuses)
    }
  }

  // Otherwise the client waits until the server closes the connection for being idle.
  @Test(arguments: [
    ("/3/", "1.0", ""), ("/3/", "1.0", "connection: keep-alive\r\n"), ("/healthz", "1.0", ""),
    ("/nowhere", "1.0", ""),
    ("/api/comics?limit=3", "1.0", ""), ("/settings/export", "1.0", ""),
    ("/3/", "1.1", "connection: Close\r\n"),
    ("/3/", "1.1", "connection: x, close\r\n"),
  ])
  func `closes after a request that ends the connection`(path: String, version: String, fields: String)
    async throws
  {
    try await withSocket { _, port async throws in
      let first = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n"
      let last = "GET \(path) HTTP/\(version)\r\nhost: localhost\r\n\(fields)\r\n"
      let start = ContinuousClock.now
      let answer = try await RawExchange.send(first + last + first, port: port)
      #expect(ContinuousClock.now - start < .seconds(30), "the idle time is longer")
      let answers = answer.text.components(separatedBy: "HTTP/1.").dropFirst()
      try #require(answers.count == 2, "\(answer.text.prefix(2000))")
      #expect(!answers[1].lowercased().contains("connection: close"))
      #expect(answers[2].hasPrefix(version.dropFirst(2)))
      #expect(answers[2].lowercased().contains("\r\nconnection: close\r\n"))
      if version == "1.0" { #expect(!answers[2].lowercased().contains("transfer-encoding")) }
    }
  }

  @Test func `learns the machine's new names while it runs`() async throws {
    let names = Names()
    try await withSocket(hosts: HostNames { names.current }) { _, port async throws in
      func status(_ host: String) async throws -> Substring {
        let request = "GET /healthz HTTP/1.1\r\nhost: \(host)\r\nconnection: close\r\n\r\n"
        return try await RawExchange.send(request, port: port).text.prefix(12)
      }
      #expect(try await status("old.lan") == "HTTP/1.1 200")
      names.list.withLock { $0 = ["new.lan"] }
      #expect(try await status("new.lan") == "HTTP/1.1 200")
      #expect(try await status("old.lan") == "HTTP/1.1 421")
    }
  }

  private final class Names: Sendable {
    let list = Mutex(["old.lan"])
    var current: [String] { list.withLock { $0 } }
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nhost: localhost\r\nx: \(String(repeating: "a", count: 40_000))\r\n\r\n",
    "GET / HTTP/1.1\r\nhost: localhost\r\n\(String(repeating: "a: b\r\n", count: 500))\r\n",
    "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{fc}\u{3}\u{3}", "NONSENSE\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
    "GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
    "GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n",
    "GET \u{1}\u{2} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
    "GET /%ff%00 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
  ])
  func `survives malformed requests`(request: String) async throws {
    try await withSocket { client, port async throws in
      let answer = try await RawExchange.send(request, port: port)
      #expect(answer.text.isEmpty || answer.text.hasPrefix("HTTP/1.1 4"), "\(answer.text.prefix(40))")
      #expect(try await client.execute(uri: "/healthz", method: .get) { $0.status } == .ok)
    }
  }

  @Test(arguments: ["x: \(String(repeating: "a", count: 40_000))", String(repeating: "a: b\r\n", count: 500)])
  func `logs once a minute that headers are too long`(fields: String) async throws {
    let recorder = LogRecorder()
    try await withSocket(logger: recorder.logger) { _, port async throws in
      for _ in 0..<2 {
        let request = "GET / HTTP/1.1\r\nhost: localhost\r\n\(fields)\r\n\r\n"
        let answer = try await RawExchange.send(request, port: port)
        #expect(answer.text.isEmpty || answer.text.hasPrefix("HTTP/1.1 400 "), "\(answer.text.prefix(40))")
        #expect(recorder.count(of: .longHeader) == 1)
      }
    }
  }

  @Test func `uses the scheme and the host that a trusted proxy names`() async throws {
    try await withSocket(trusting: .local) { client, _ async throws in
      let fields: HTTPFields = [
        .named("X-Forwarded-Proto"): "https", .named("X-Forwarded-Host"): "longbox.localhost",
      ]
      try await eventually { try await client.execute(uri: "/3/", method: .get) { $0.status == .ok } }
      for _ in 0..<2 {
        let answer = try await client.execute(uri: "/feed.atom", method: .get, headers: fields) { $0 }
        #expect(answer.text.contains("https://longbox.localhost/"))
      }
    }
  }

  @Test func `serves everything below the base path, and nothing but its health elsewhere`() async throws {
    let basePath = try #require(BasePath("/box"))
    try await withSocket(at: SiteAddress(basePath: basePath)) { client, _ async throws in
      func get(_ uri: String) async throws -> TestResponse {
        try await client.execute(uri: uri, method: .get) { $0 }
      }
      try await eventually { try await get("/box/3/").status == .ok }
      // The second time from memory.
      for _ in 0..<2 {
        let page = try await get("/box/3/").text
        #expect(page.contains("href=\"/box/2/\"") && !page.contains("=\"/2/\""))
        #expect(try await get("/box/comics/3/image").bytes == HandmadeRecord.picture(3))
      }
      #expect(try await get("/box/feed.atom").text.contains("://localhost/box/3/\""))
      #expect(try await get("/box/api/comics/3").text.contains("\"/box/3/\""))
      #expect(try await get("/box/continue").headers[.location]?.hasPrefix("/box/") == true)
      #expect(try await get("/box").headers[.location] == "/box/")
      let form = try await client.execute(
        uri: "/box/favorites/set",
        method: .post,
        headers: [.origin: "http://localhost", .contentType: "application/x-www-form-urlencoded"],
        body: ByteBuffer(string: "comic=3&on=yes&back=/3/")
      ) { $0 }
      #expect(form.status == .seeOther && form.headers[.location] == "/box/3/")
      #expect(form.headers[.setCookie]?.contains("; Path=/box;") == true)
      for uri in ["/", "/3/", "/boxes/3/", "/assets/app.js", "/outside-base-path"] {
        let answer = try await get(uri)
        #expect(answer.status == .notFound && answer.text.contains("/box/ (LONGBOX_BASE_PATH)"), "\(uri)")
      }
      #expect(try await get("/healthz").status == .ok)
      #expect(try await get("/box/healthz").status == .ok)
    }
  }

  @Test func `names its public address in feeds`() async throws {
    let address = try #require(PublicAddress(url: "https://comics.example/box"))
    try await withSocket(at: SiteAddress(address)) { client, _ async throws in
      try await eventually { try await client.execute(uri: "/box/3/", method: .get) { $0.status == .ok } }
      let feed = try await client.execute(uri: "/box/feed.atom", method: .get) { $0.text }
      #expect(feed.contains("https://comics.example/box/3/") && !feed.contains("localhost"))
      let page = try await client.execute(uri: "/box/3/", method: .get) { $0.text }
      #expect(page.contains("content=\"https://comics.example/box/3/\""))
    }
  }
}
