// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import HummingbirdTesting
import LongboxPages
import Testing

@testable import LongboxServer

@Suite("The base path") struct BasePathTests {
  private let basePath = BasePath("/box/long") ?? BasePath()

  @Test(
    arguments: [
      ("", ""), ("/", ""), ("/longbox", "/longbox"), ("/longbox/", "/longbox"),
      ("/a/b-c_d.e~f", "/a/b-c_d.e~f"),
    ]
  )
  func `is read with or without a slash at its end`(text: String, path: String) {
    #expect(BasePath(text)?.text == path)
  }

  @Test(
    arguments: [
      "longbox", "//", "//longbox", "/a//b", "/..", "/a/./b", "/a b", "/a%20b", "/a?b", "/a#b", "/é", "/a\"b",
      "/<a>",
      "/" + String(repeating: "a", count: 200),
    ]
  )
  func `is nothing else`(text: String) {
    #expect(BasePath(text) == nil)
  }

  private func path(_ path: String, _ method: HTTPRequest.Method = .get) -> String? {
    var head = HTTPRequest(method: method, scheme: "http", authority: "longbox.example", path: path)
    basePath.remove(from: &head)
    return head.path
  }

  @Test func `is removed from requests`() {
    #expect(path("/box/long/") == "/")
    #expect(path("/box/long/353/?a=/box/long") == "/353/?a=/box/long")
    #expect(path("/box/long/box/long/") == "/box/long/")
    #expect(
      path("/box/long/healthz") == "/healthz" && path("/healthz") == "/healthz" && path("/ready") == "/ready"
    )
  }

  @Test(arguments: ["/", "/353/", "/box/longer/", "/box", "/Box/long/", "//box/long/", "*", "/healthz/"])
  func `is missing in all other requests`(address: String) {
    #expect(path(address) == BasePathController.outside)
    #expect(path(address, .post) == BasePathController.outside)
  }

  @Test func `lacks its slash in one`() {
    #expect(path("/box/long") == BasePathController.slashless)
    #expect(path("/box/long?a=b") == BasePathController.slashless)
  }

  @Test func `is added to redirects and cookies`() {
    func sent(_ location: String, _ cookies: [String] = []) -> HTTPFields {
      var head = HTTPResponse(status: .seeOther, headerFields: [.location: location])
      head.headerFields[values: .setCookie] = cookies
      basePath.add(to: &head)
      return head.headerFields
    }
    #expect(sent("/353/#explanation")[.location] == "/box/long/353/#explanation")
    #expect(sent("https://xkcd.com/")[.location] == "https://xkcd.com/")
    let library = LibraryCookie().header(isSecure: true)
    let plainLibrary = LibraryCookie().header(isSecure: false)
    let session = SessionCookie.header("secret", for: 60, isSecure: true)
    let plainSession = SessionCookie.header("secret", for: 60, isSecure: false)
    let cookies = sent("/", [library, plainLibrary, session, plainSession])[values: .setCookie]
    #expect(cookies.map { $0.contains("; Path=/box/long;") } == [false, true, false, true])
    #expect(cookies[0] == library && cookies[2] == session)
  }
}

@Suite("A base path that a proxy names", .timeLimit(.minutes(10))) struct NamedBasePathTests {
  private static func below(_ prefix: String?) -> HTTPFields {
    prefix.map { [.named("X-Forwarded-Prefix"): $0] } ?? [:]
  }

  @Test func `is in all addresses of an answer, and in those of no other`() async throws {
    try await withServer(trusting: .local) { bench async throws in
      // Twice, since the second answer may come from memory.
      for prefix in ["/one", nil, "/two/box", "/one", nil] {
        let base = prefix ?? ""
        func get(_ path: String) async throws -> TestResponse {
          try await bench.get(path, Self.below(prefix))
        }
        let page = try await get("/3/")
        #expect(page.text.contains("href=\"\(base)/2/\""), "\(base)")
        #expect(page.text.contains("data-base") == (prefix != nil))
        #expect(page.headers[values: .vary].contains("X-Forwarded-Prefix") == (prefix != nil))
        #expect(try await get("/feed.atom").text.contains("http://localhost\(base)/3/\""))
        #expect(try await get("/opds").text.contains("\"http://localhost\(base)/opds/latest\""))
        #expect(try await get("/api/comics/3").text.contains("\"\(base)/3/\""))
        #expect(try await get("/3").headers[.location] == "\(base)/3/")
        for path in ["/settings", "/about"] {
          #expect(try await get(path).text.contains("href=\"\(base)/feeds\""), "\(base)\(path)")
        }
      }
      var browser = Browser(bench: bench)
      browser.fieldsOfProxy = Self.below("/one")
      let form = try await browser.send("/favorites/set", "comic=3&on=yes&back=/3/")
      #expect(form.headers[.location] == "/one/3/")
      #expect(form.headers[.setCookie]?.contains("; Path=/one;") == true)
      #expect(try await browser.get("/favorites").text.contains("href=\"/one/3/?in=favorites\""))
    }
  }

  @Test func `lets other pages of its site show it in a frame, as in Home Assistant`() async throws {
    try await withServer(trusting: .local) { bench async throws in
      for (prefix, expected, other) in [("/api/box", "'self'", "'none'"), (nil, "'none'", "'self'")] {
        let fields: HTTPFields = prefix.map { [.named("X-Ingress-Path"): $0] } ?? [:]
        for path in ["/3/", "/settings", "/about", "/start", "/no-such-page"] {
          let policies = try await bench.get(path, fields).headers[values: .contentSecurityPolicy]
          #expect(policies.count == 1 && policies[0].contains("frame-ancestors \(expected)"), "\(path)")
          #expect(!policies[0].contains("frame-ancestors \(other)"), "\(path)")
        }
        // So do the pages that the worker makes.
        let script = try await bench.get("/sw.js", fields).text
        #expect(script.contains("frame-ancestors \(expected)"))
        #expect(!script.contains("frame-ancestors \(other)"))
      }
    }
  }

  @Test func `counts from a trusted proxy alone`() async throws {
    try await withServer { bench async throws in
      let page = try await bench.get("/3/", Self.below("/one"))
      #expect(page.text.contains("href=\"/2/\"") && !page.text.contains("data-base"))
    }
  }

  @Test func `is asked for in a page that shows itself without its style sheet`() async throws {
    try await withServer { bench async throws in
      let message = "This page has come without its style sheet."
      let forwarded: HTTPFields = [.named("X-Forwarded-For"): "192.0.2.1"]
      // A browser that opens a page asks to keep the connection, and no proxy passes that on.
      let opening = HTTPField.Name.named("Upgrade-Insecure-Requests")
      for _ in 0..<2 {
        #expect(try await bench.get("/3/", forwarded).text.contains(message))
        #expect(try await bench.get("/3/", [opening: "1"]).text.contains(message))
        #expect(try await bench.get("/3/", [opening: "1", .connection: "close"]).text.contains(message))
        let direct: [HTTPFields] = [[:], [.connection: "close"], [opening: "1", .connection: "keep-alive"]]
        for other in direct {
          #expect(!(try await bench.get("/3/", other).text.contains(message)))
        }
      }
    }
  }

  @Test(arguments: [
    ("/353/?without-style", "https://example.org/longbox/353/?a", "/longbox"),
    ("/?without-style", "https://example.org/a/b/", "/a/b"),
    ("/353/?without-style", "https://example.org/353/", nil),
    ("/353/?without-style", "https://example.org/longbox/354/", nil),
    ("/353/?without-style", "https://example.org/%3Cb%3E/353/", nil), ("/353/?without-style", nil, nil),
  ])
  func `is seen from the picture in such a page`(path: String, page: String?, prefix: String?) {
    let recorder = LogRecorder()
    let gate = RequestGate(
      forwarding: Forwarding(TrustedProxies(), isLoopback: true),
      basePath: BasePath(),
      hosts: HostNames(),
      addressLimit: 100,
      endpoints: EndpointTable([], incidents: IncidentLog(logger: recorder.logger))
    )
    var head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
    head.headerFields[.referer] = page
    for _ in 0..<2 {
      var host: String?
      let request = gate.receive(head, from: nil, allowedHost: &host)
      #expect(request.head.path == "/assets/icon.svg")
    }
    #expect(recorder.count(of: .unnamedPrefix) == (prefix == nil ? 0 : 1))
    #expect(recorder.lines.first?.last == prefix)
  }
}

@Suite("The public address") struct BasePathInAddressTests {
  @Test(
    arguments: [
      ("https://comics.example.org", "https://comics.example.org", ""),
      ("https://Comics.example.org:443/", "https://comics.example.org", ""),
      ("http://[fd00::1]:8080/a/b/", "http://[fd00::1]:8080/a/b", "/a/b"),
      ("HTTPS://example.org/longbox", "https://example.org/longbox", "/longbox"),
    ]
  )
  func `has scheme, host, port and base path`(url: String, root: String, basePath: String) {
    let address = PublicAddress(url: url)
    #expect(address?.root == root)
    #expect(address?.basePath.text == basePath)
  }

  @Test(
    arguments: [
      "", "example.org", "ftp://example.org", "https://", "https:///a", "https://a@example.org",
      "https://example.org?a=b",
      "https://example.org/a?b", "https://example.org/a#b", "https://example.org:x/", "https://exa mple.org",
    ]
  )
  func `is nothing else`(url: String) {
    #expect(PublicAddress(url: url) == nil)
  }

  @Test func `counts before that of a request`() throws {
    let head = HTTPRequest(method: .get, scheme: "http", authority: "192.0.2.1:8353", path: "/")
    let basePath = try #require(BasePath("/longbox"))
    #expect(SiteAddress(basePath: basePath).address(of: head)?.root == "http://192.0.2.1:8353/longbox")
    let named = SiteAddress(try #require(PublicAddress(url: "https://example.org/longbox")))
    #expect(named.address(of: head)?.root == "https://example.org/longbox")
    #expect(named.publicName == "example.org")
    #expect(named.address(of: head)?.path(of: "http://EXAMPLE.org/longbox/353/?a") == "/353/")
    #expect(named.address(of: head)?.path(of: "https://example.org/353/") == nil)
    #expect(SiteAddress(try #require(PublicAddress(url: "http://192.0.2.1/"))).publicName == nil)
  }
}
