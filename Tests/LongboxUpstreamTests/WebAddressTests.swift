// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxUpstream

@Suite struct `A web address` {
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
