// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxPages
import Testing

@testable import LongboxServer

@Suite struct `The base path` {
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

@Suite struct `The public address` {
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
