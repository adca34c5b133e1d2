// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing
import TestSupport

@testable import LongboxUpstream

@Suite("The client of xkcd") struct XkcdClientTests {
  private func client(_ script: ScriptedTransport, limits: XkcdClient.Limits = .init()) -> XkcdClient {
    XkcdClient(transport: script.transport, limits: limits)
  }

  private func number(_ value: Int) throws -> Comic.Number { try #require(Comic.Number(value)) }

  @Test func `requests the latest comic, and next time sends its validator`() async throws {
    let script = ScriptedTransport(.reply(200, ["ETag": "\"a\""], body: Records.record(7)), .reply(304))
    let client = client(script)
    guard case .fresh(let record, let validator?) = try await client.latest() else {
      Issue.record("the first reply has to be fresh, with a validator")
      return
    }
    #expect(record.number.value == 7)
    #expect(try await client.latest(validator: validator) == .notModified)
    #expect(
      script.exchanges.map(\.address.description)
        == Array(repeating: "https://xkcd.com/info.0.json", count: 2)
    )
    #expect(script.exchanges.map(\.validator) == [nil, validator])
  }

  @Test func `requests a comic by number`() async throws {
    let script = ScriptedTransport(.reply(200, body: Records.record(7)))
    #expect(try await client(script).comic(numbered: number(7)).number.value == 7)
    #expect(script.exchanges.map(\.address.description) == ["https://xkcd.com/7/info.0.json"])
  }

  @Test func `rejects the record of another comic`() async {
    await #expect(throws: UpstreamError.malformed(.xkcd, at: "comic 7: it is the record of comic 8")) {
      try await client(ScriptedTransport(.reply(200, body: Records.record(8)))).comic(numbered: number(7))
    }
  }

  @Test(arguments: [
    ("", "comic 7: it is empty"),
    ("<html>", "comic 7: it is an HTML page instead of JSON"),
    (#"{"num": 7, "ti"#, "comic 7: it is not one whole JSON object in UTF-8"),
    (#"{"num": 7}"#, "comic 7: its year, month and day are missing or not a date"),
  ])
  func `says what is wrong with a record`(body: String, place: String) async {
    await #expect(throws: UpstreamError.malformed(.xkcd, at: place)) {
      try await client(ScriptedTransport(.reply(200, body: Array(body.utf8)))).comic(numbered: number(7))
    }
  }

  @Test func `turns statuses into errors without any other layer`() async {
    await #expect(throws: UpstreamError.notFound(.xkcd, subject: "comic 7")) {
      try await client(ScriptedTransport(.reply(404))).comic(numbered: number(7))
    }
    await #expect(
      throws: UpstreamError.malformed(
        .xkcd,
        at: "comic 7: the answer is “not modified”, although Longbox sent no validator"
      )
    ) {
      try await client(ScriptedTransport(.reply(304))).comic(numbered: number(7))
    }
  }

  @Test func `fetches a picture's bytes, whatever they are`() async throws {
    let script = ScriptedTransport(.reply(200, body: Pictures.jpeg))
    let bytes = try await client(script).picture(at: "https://imgs.xkcd.com/comics/bread.png")
    #expect(bytes == Pictures.jpeg)
    #expect(script.exchanges.map(\.address.target) == ["/comics/bread.png"])
  }

  @Test func `requests the double size by name`() async throws {
    let script = ScriptedTransport(.reply(404))
    await #expect(throws: UpstreamError.notFound(.xkcd, subject: "picture bread_2x.png")) {
      try await client(script).picture(at: "http://imgs.xkcd.com/comics/bread.png", doubleSize: true)
    }
    #expect(script.exchanges.map(\.address.description) == ["https://imgs.xkcd.com/comics/bread_2x.png"])
  }

  @Test(
    arguments: ["", "https://imgs.xkcd.com/comics/", "https://evil.example/x.png", "http://127.0.0.1/x.png"]
      as [Text]
  )
  func `requests no pictures from other hosts`(address: Text) async {
    let script = ScriptedTransport(.reply(200, body: Pictures.png))
    await #expect(throws: UpstreamError.rejected(.xkcd, .address(address.description))) {
      try await client(script).picture(at: address)
    }
    #expect(script.exchanges.isEmpty)
  }

  @Test(arguments: [
    (#"<a href="/7/"><img src="https://imgs.xkcd.com/comics/a_large.png"></a>"#, "/comics/a_large.png"),
    (#"<img src=//imgs.xkcd.com/comics/a.jpg><p>"#, "/comics/a.jpg"),
    (
      """
      <img src="/s/logo.png" width=900 height=900><img src="https://imgs.xkcd.com/static/x.png">
      <IMG SRC=' /7/b.png ' width="20" height="30"><div><img src="/7/c.gif" width="200" height="30">
      """, "/7/c.gif"
    ),
    (#"<img src="https://evil.example/x.png" width=9 height=9><img src="d.png">"#, "/7/large/d.png"),
  ])
  func `fetches the largest picture of a page`(page: String, target: String) async throws {
    let script = ScriptedTransport(.reply(200, body: Array(page.utf8)), .reply(200, body: Pictures.png))
    let bytes = try await client(script).largerVersion(at: "https://xkcd.com/7/large/", .page)
    #expect(bytes == Pictures.png)
    #expect(script.exchanges.map(\.address.target) == ["/7/large/", target])
    #expect(script.exchanges.first?.byteLimit == XkcdClient.Limits().pageBytes)
  }

  @Test(arguments: [
    "", "<p>Nothing", #"<img src="https://evil.example/x.png">"#, #"<img src="/s/logo.png">"#, "<img src=''>",
    #"<img src="https://xkcd.com/7/x.svg">"#, "\u{0}<img", String(repeating: "<div>", count: 5000),
  ])
  func `finds no larger version on another page`(page: String) async {
    let script = ScriptedTransport(.reply(200, body: Array(page.utf8)))
    await #expect(throws: UpstreamError.notFound(.xkcd, subject: "larger version /7/large/")) {
      try await client(script).largerVersion(at: "https://xkcd.com/7/large/", .page)
    }
    #expect(script.exchanges.count == 1)
  }

  @Test func `fetches a larger version to which a comic links`() async throws {
    let script = ScriptedTransport(.reply(200, body: Pictures.jpeg))
    let bytes = try await client(script).largerVersion(at: "https://imgs.xkcd.com/comics/x.png", .picture)
    #expect(bytes == Pictures.jpeg)
    #expect(script.exchanges.map(\.address.description) == ["https://imgs.xkcd.com/comics/x.png"])
  }
}

@Suite("The addresses of xkcd") struct XkcdAddressesTests {
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
