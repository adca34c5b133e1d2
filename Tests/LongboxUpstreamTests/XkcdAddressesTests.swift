// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxUpstream

@Suite struct `The addresses of xkcd` {
  @Test func `are the official ones unless configured`() throws {
    let addresses = XkcdAddresses.standard
    #expect(try XkcdAddresses(site: nil, images: nil) == addresses)
    #expect(addresses.latest.description == "https://xkcd.com/info.0.json")
    #expect(addresses.record(of: .first).description == "https://xkcd.com/1/info.0.json")
    #expect(
      addresses.origins.map(\.description).sorted() == [
        "https://imgs.xkcd.com", "https://www.xkcd.com", "https://xkcd.com",
      ]
    )
  }

  @Test(arguments: ["http://127.0.0.1:9000/mirror", "http://127.0.0.1:9000/mirror/"])
  func `can be configured, with a path and on the loopback`(base: String) throws {
    let addresses = try XkcdAddresses(site: base, images: base)
    #expect(addresses.latest.description == "http://127.0.0.1:9000/mirror/info.0.json")
    let picture = addresses.picture(at: "http://imgs.xkcd.com/comics/x.png", doubleSize: false)
    #expect(picture?.description == "http://127.0.0.1:9000/mirror/comics/x.png")
    #expect(addresses.origins.contains(WebAddress.Origin(scheme: .http, host: "127.0.0.1", port: 9000)))
  }

  @Test(arguments: [
    "xkcd.com", "", "ftp://xkcd.com", "https://xkcd.com/?a=b", "https://xkcd.com/#a",
    "https://me:pw@xkcd.com",
  ])
  func `are rejected with the name of the setting`(value: String) {
    #expect(throws: SettingError.address(setting: "LONGBOX_XKCD_URL", value: value)) {
      try XkcdAddresses(site: value, images: nil)
    }
    let error = #expect(throws: SettingError.self) { try XkcdAddresses(site: nil, images: value) }
    #expect(error?.description.hasPrefix("LONGBOX_XKCD_IMAGES_URL is “\(value)”") == true)
  }

  @Test(arguments: [
    ("https://imgs.xkcd.com/comics/python.png", "/comics/python.png", "/comics/python_2x.png"),
    ("http://imgs.xkcd.com/comics/python.png", "/comics/python.png", "/comics/python_2x.png"),
    ("//imgs.xkcd.com/comics/python.png", "/comics/python.png", "/comics/python_2x.png"),
    ("https://imgs.xkcd.com/comics/%3F%3F%3F.png", "/comics/%3F%3F%3F.png", "/comics/%3F%3F%3F_2x.png"),
    ("https://imgs.xkcd.com/comics/(.png", "/comics/(.png", "/comics/(_2x.png"),
    (
      "https://imgs.xkcd.com/comics/barrel_cropped_(1).jpg", "/comics/barrel_cropped_(1).jpg",
      "/comics/barrel_cropped_(1)_2x.jpg"
    ),
    ("https://imgs.xkcd.com/comics/a.b.gif", "/comics/a.b.gif", "/comics/a.b_2x.gif"),
  ])
  func `keep odd names of pictures`(given: String, target: String, doubleTarget: String) {
    let addresses = XkcdAddresses.standard
    let host = "https://imgs.xkcd.com"
    #expect(addresses.picture(at: Text(string: given), doubleSize: false)?.description == host + target)
    #expect(addresses.picture(at: Text(string: given), doubleSize: true)?.description == host + doubleTarget)
  }

  @Test(arguments: [
    "", "https://imgs.xkcd.com/comics/", "https://evil.example/comics/x.png", "https://xkcd.com/comics/x.png",
    "https://imgs.xkcd.com.evil.example/comics/x.png", "https://imgs.xkcd.com@evil.example/x.png",
    "https://imgs.xkcd.com:8443/comics/x.png", "http://127.0.0.1/comics/x.png",
    "http://169.254.169.254/latest",
    "https://imgs.xkcd.com/comics/../../x.png", "https://imgs.xkcd.com/%2e%2E/x.png", "file:///etc/passwd",
    "https://imgs.xkcd.com/comics/x.png?y",
  ])
  func `accept no pictures of other hosts or paths`(given: String) {
    #expect(XkcdAddresses.standard.picture(at: Text(string: given), doubleSize: false) == nil)
  }

  @Test(arguments: [
    ("https://xkcd.com/980/huge/", "https://xkcd.com/980/huge/"),
    ("http://www.xkcd.com/7_large/", "https://xkcd.com/7_large/"),
    ("//imgs.xkcd.com/comics/x_large.png", "https://imgs.xkcd.com/comics/x_large.png"),
  ])
  func `accept pages and files of xkcd`(given: String, address: String) {
    #expect(XkcdAddresses.standard.anything(at: Text(string: given))?.description == address)
  }

  @Test(arguments: [
    "", "https://evil.example/7/large/", "https://store.xkcd.com/7/large/", "https://xkcd.com:8443/7/large/",
    "https://xkcd.com/%2e%2e/x", "https://xkcd.com@evil.example/", "http://127.0.0.1/7/large/",
    "https://xkcd.com/7/large/?x", "file:///etc/passwd",
  ])
  func `accept no pages elsewhere`(given: String) {
    #expect(XkcdAddresses.standard.anything(at: Text(string: given)) == nil)
  }

  @Test func `have no double size for a name without an extension`() {
    let given: Text = "https://imgs.xkcd.com/comics.d/python"
    #expect(XkcdAddresses.standard.picture(at: given, doubleSize: false) != nil)
    #expect(XkcdAddresses.standard.picture(at: given, doubleSize: true) == nil)
  }
}
