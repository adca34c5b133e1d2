// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxUpstream

@Suite("A web address") struct WebAddressTests {
  @Test(arguments: [
    ("https://xkcd.com", "https://xkcd.com/"),
    ("HTTPS://XKCD.com/A", "https://xkcd.com/A"),
    ("http://127.0.0.1:8080/x?y=%41", "http://127.0.0.1:8080/x?y=%41"),
    ("https://xkcd.com:443/", "https://xkcd.com/"),
    ("http://[::1]:81/x", "http://[::1]:81/x"),
    ("https://imgs.xkcd.com/comics/%3F%3F%3F.png", "https://imgs.xkcd.com/comics/%3F%3F%3F.png"),
    (
      "https://imgs.xkcd.com/comics/barrel_cropped_(1).jpg",
      "https://imgs.xkcd.com/comics/barrel_cropped_(1).jpg"
    ),
    ("https://imgs.xkcd.com/comics/(.png", "https://imgs.xkcd.com/comics/(.png"),
    ("https://xkcd.com/a b/é#top", "https://xkcd.com/a%20b/%C3%A9"),
    ("https://xkcd.com?q", "https://xkcd.com/?q"),
  ])
  func `stays as written from the path on`(written: String, sent: String) {
    #expect(WebAddress(written)?.description == sent)
  }

  @Test(arguments: [
    "", "xkcd.com", "//xkcd.com/", "ftp://xkcd.com/", "https://", "https:///x", "https://xkcd.com:/",
    "https://xkcd.com:0/",
    "https://xkcd.com:99999/", "https://xkcd.com:+80/", "https://me@xkcd.com/",
    "https://xkcd.com\\@evil.example/",
    "https://xkcd.com/\r\nHost: evil", "https://xkcd.com/\u{0}", "https://xk cd.com/", "https://[::1/",
    "https://[]/",
    "https://[::1]evil/", "https://é.example/", "http+unix://%2Ftmp/x",
    "https://xkcd.com/" + String(repeating: "a", count: 3000),
  ])
  func `is rejected where parsers might differ`(written: String) {
    #expect(WebAddress(written) == nil)
  }

  @Test(arguments: [
    ("/x", "https://xkcd.com/x"),
    ("y", "https://xkcd.com/a/y"),
    ("../y", "https://xkcd.com/y"),
    ("//imgs.xkcd.com/z", "https://imgs.xkcd.com/z"),
    ("http://10.0.0.1/", "http://10.0.0.1/"),
  ])
  func `resolves a redirect`(reference: String, target: String) throws {
    let base = try #require(WebAddress("https://xkcd.com/a/b"))
    #expect(base.resolving(reference)?.description == target)
  }

  @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd", "https://user@xkcd.com/"])
  func `does not resolve anything but http and https`(reference: String) throws {
    let base = try #require(WebAddress("https://xkcd.com/a/b"))
    #expect(base.resolving(reference) == nil)
  }
}

@Suite("The User-Agent") struct UserAgentTests {
  @Test(arguments: [
    (nil, "Longbox/1.2"), ("", "Longbox/1.2"), ("me@example.org", "Longbox/1.2 (+me@example.org)"),
    ("https://example.org/about", "Longbox/1.2 (+https://example.org/about)"),
  ])
  func `names the program and its operator`(contact: String?, value: String) throws {
    #expect(try UserAgent(version: "1.2", contact: contact).value == value)
  }

  @Test(arguments: ["me\r\nX: y", "a)b", "\\", "é@example.org", String(repeating: "a", count: 201)])
  func `rejects a contact that a header can't hold`(contact: String) {
    #expect(throws: SettingError.contact(contact)) { try UserAgent(version: "1.2", contact: contact) }
  }
}

@Suite("A validator") struct ValidatorTests {
  @Test func `is read from a reply, and sent with the next request`() throws {
    let address = try #require(WebAddress("https://xkcd.com/"))
    let headers: HeaderFields = ["etag": "W/\"1\"", "LAST-MODIFIED": "Mon, 09 Feb 2026 00:00:00 GMT"]
    let validator = try #require(Reply(status: 200, headers: headers, address: address).validator)
    #expect(validator.entityTag == "W/\"1\"")
    #expect(validator.headers["If-None-Match"] == "W/\"1\"")
    #expect(validator.headers["If-Modified-Since"] == "Mon, 09 Feb 2026 00:00:00 GMT")
  }

  @Test func `with one value sends one field`() throws {
    #expect(
      try #require(Validator(entityTag: "\"1\"", lastModified: nil)).headers.fields.map(\.name) == [
        "If-None-Match"
      ]
    )
    #expect(
      try #require(Validator(entityTag: nil, lastModified: "x")).headers.fields.map(\.name) == [
        "If-Modified-Since"
      ]
    )
  }

  @Test(arguments: [nil, "", "a\r\nb", "é", String(repeating: "a", count: 201)])
  func `is nil where nothing can be sent`(value: String?) {
    #expect(Validator(entityTag: value, lastModified: value) == nil)
  }
}
