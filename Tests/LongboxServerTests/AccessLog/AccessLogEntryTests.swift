// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Testing

@testable import LongboxServer

@Suite("A line of the access log") struct AccessLogEntryTests {
  private func line(
    _ format: AccessLogSettings.Format,
    full: Bool = false,
    client: [UInt8] = [192, 0, 2, 77],
    path: String = "/353/",
    _ fields: HTTPFields = [:],
    _ change: (inout AccessLogEntry) -> Void = { _ in }
  ) -> String {
    let request = HTTPRequest(
      method: .get,
      scheme: "http",
      authority: "longbox.lan",
      path: path,
      headerFields: fields
    )
    var entry = AccessLogEntry(
      time: Date(timeIntervalSince1970: 1_800_014_400.25),
      client: IPAddress(client),
      request: request,
      status: 200,
      byteCount: 9120,
      duration: .microseconds(1204)
    )
    change(&entry)
    let settings = AccessLogSettings(format: format, hasFullAddresses: full, write: { _ in })
    return String(decoding: entry.line(settings), as: UTF8.self)
  }

  @Test func `has the combined format`() {
    let agent: HTTPFields = [.userAgent: "Mozilla/5.0 (X11)", .referer: "http://longbox.lan/352/"]
    #expect(
      line(.combined, agent) == """
        192.0.2.0 - - [15/Jan/2027:12:00:00 +0000] "GET /353/ HTTP/1.1" 200 9120 "http://longbox.lan/352/" \
        "Mozilla/5.0 (X11)"

        """
    )
    #expect(line(.combined).hasSuffix(#" 200 9120 "-" "-""# + "\n"))
    #expect(line(.combined) { $0.status = nil }.contains(" 499 "))
  }

  @Test func `is an object of JSON`() throws {
    struct Line: Decodable {
      let time, client, method, path, host, userAgent: String
      let referrer: String?
      let status, bytes: Int
      let seconds: Double
    }
    let text = line(.json, path: "/search?q=caf%C3%A9", [.userAgent: "Bücher \"π\" \\ 🐍"])
    let read = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
    #expect(read.time == "2027-01-15T12:00:00.250Z" && read.client == "192.0.2.0" && read.method == "GET")
    #expect(read.path == "/search?q=caf%C3%A9" && read.host == "longbox.lan" && read.referrer == nil)
    #expect(read.status == 200 && read.bytes == 9120 && read.seconds == 0.001204)
    #expect(read.userAgent == "Bücher \"π\" \\ 🐍")
    #expect(text.hasSuffix("}\n") && text.utf8.allSatisfy { $0 < 0x7F })
  }

  @Test(arguments: AccessLogSettings.Format.allCases)
  func `can't be forged by a client`(format: AccessLogSettings.Format) {
    let evil = "a\" 200 1 \"\\\u{1B}[31m\u{7F}\u{85}\u{2028}b\tc"
    for text in [line(format, path: "/" + evil), line(format, [.userAgent: evil, .referer: evil])] {
      #expect(text.filter { $0 == "\n" }.count == 1 && text.hasSuffix("\n"))
      #expect(text.dropLast().utf8.allSatisfy { (0x20..<0x7F).contains($0) })
      #expect(!text.contains("a\" 200"))
    }
    if format == .combined {
      #expect(line(format, path: "/\"\\").contains(#""GET /\x22\x5C HTTP/1.1""#))
    }
  }

  @Test(
    arguments: [
      ([192, 0, 2, 77], false, "192.0.2.0"), ([192, 0, 2, 77], true, "192.0.2.77"),
      ([0x20, 1, 0xD, 0xB8, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3], false, "2001:db8:1::"),
      ([0x20, 1, 0xD, 0xB8, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3], true, "2001:db8:1:2::3"),
      ([], false, "-"),
    ] as [([UInt8], Bool, String)]
  )
  func `shortens addresses unless asked`(client: [UInt8], full: Bool, text: String) {
    #expect(line(.combined, full: full, client: client).hasPrefix("\(text) - - ["))
  }

  @Test(arguments: [
    ("/join?code=abc", "/join?code=-"), ("/join?x=1&c%6Fde=abc&y", "/join?x=1&c%6Fde=-&y"),
    ("/feeds/abcdefghijklmnopqrstuv.atom", "/feeds/-.atom"),
    ("/feeds/abcdefghijklmnopqrstuv/opds/favorites.cbz", "/feeds/-/opds/favorites.cbz"),
    ("/box/feeds/abcdefghijklmnopqrstuv.json?x=1", "/box/feeds/-.json?x=1"), ("/feeds", "/feeds"),
    ("/feeds/favorites", "/feeds/favorites"), ("/feeds/favoritesabc.atom", "/feeds/-.atom"),
    ("/feeds/rerun/1/2026-11-21.atom?per-day=2", "/feeds/rerun/1/2026-11-21.atom?per-day=2"),
    (
      "/sign-in?to=%2Ffeeds%2Frerun%2F1%2F2026-11-21.atom",
      "/sign-in?to=%2Ffeeds%2Frerun%2F1%2F2026-11-21.atom"
    ),
    ("/search?q=code", "/search?q=code"), ("/?", "/?"),
    ("/latest.png?width=8&key=abc&levels=4", "/latest.png?width=8&key=-&levels=4"),
    ("/comics/3/image?v=01234567&key=abc", "/comics/3/image?v=01234567&key=-"),
    ("/sign-in?to=%2Flatest.png%3Fkey%3Dabc%26x%3Dcode%3D1", "/sign-in?to=-"),
    ("/sign-in?to=%2Fjoin%3Fcode%3Dabc", "/sign-in?to=-"),
    ("/sign-in?x=1&to=%2Ffeeds%2Fabcdefghijklmnopqrstuv%2Eatom", "/sign-in?x=1&to=-"),
    ("/sign-in?to=/join?code=abc", "/sign-in?to=-"), ("/sign-in?to=%2F353%2F", "/sign-in?to=%2F353%2F"),
  ])
  func `has no secrets`(path: String, logged: String) {
    #expect(line(.combined, path: path).contains("\"GET \(logged) HTTP/1.1\""))
    let referrer = line(.combined, [.referer: "http://longbox.lan\(path)"])
    #expect(referrer.contains("\"http://longbox.lan\(logged)\""))
    let secrets: HTTPFields = [.cookie: "longbox=secret", .authorization: "Bearer secret"]
    for format in AccessLogSettings.Format.allCases { #expect(!line(format, secrets).contains("secret")) }
  }

  /// Every spelling of an address with a secret, as clients may send it.
  @Test(arguments: [
    "/feeds/TOKENabcdefghijklmnopqr.atom", "/join?code=TOKENabcdefghijklmnopqr",
    "/embed/latest?key=TOKENabcdefghijklmnopqr",
  ])
  func `has no secret in any spelling`(address: String) {
    func encoded(_ text: String) -> String {
      text.utf8.map { "%" + String($0, radix: 16) }.joined()
    }
    let twice = encoded(address).replacing("%", with: "%25")
    let slashes = address.replacing("/", with: "//")
    var spellings = [
      address, slashes, "/" + address, "/box" + address, "http://longbox.lan" + address,
      address.replacing("/", with: "\\"),
      address.replacing("/", with: "/./"), address.replacing("feeds/", with: "feeds/x/../"),
      address.replacing("feeds/", with: "feeds/rerun/../"), address.replacing("feeds/", with: "feeds/."),
      address.replacing("feeds/", with: "feeds;x/"), address.replacing("feeds/", with: "FEEDS/"),
      address.replacing("feeds/", with: "feeds%ff/"), address.replacing(".atom", with: "%zz.atom"),
      address.replacing("TOKEN", with: "x.TOKEN"), address.replacing("code", with: "c%256fde"),
      address.replacing("code=", with: "x=1;code="), address.replacing("code=", with: "amp;code="),
      "/feeds/favorites" + address, address + "/", address + "?x=1", address + "%",
      "/" + encoded(address), "/" + twice, "/" + twice.replacing("%25", with: "%2525"),
    ]
    spellings += spellings.map { "/sign-in?to=" + encoded($0) } + spellings.map { "/sign-in?to=" + $0 }
    for path in spellings {
      let fields: HTTPFields = [.referer: path]
      for format in AccessLogSettings.Format.allCases {
        let logged = line(format, path: path, fields).lowercased()
        #expect(!logged.contains("abcdefghijklmnopqr"), "\(path): \(logged)")
        #expect(
          !logged.contains(encoded("abcdefgh").dropFirst()) && !logged.contains("%2561%2562"),
          "\(path)"
        )
      }
    }
  }

  @Test(arguments: [
    "http://feeds.example.org/353/", "/search?q=feeds", "/353/?x=%2525", "/feeds//favorites",
    "/search?q=100%",
  ])
  func `is unchanged without a secret`(path: String) {
    #expect(line(.combined, [.referer: path]).contains("\"\(path)\""))
  }

  /// A line is made on the thread of its connection.
  ///
  /// When the first address was decoded one level after another, that took half a second.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["/%" + String(repeating: "25", count: 7_500), "/?" + String(repeating: "&", count: 15_000)]
  )
  func `is made in little time, however an address is spelled`(address: String) {
    for _ in 0..<1_000 {
      #expect(line(.combined, path: address, [.referer: address]).utf8.count < 4096)
    }
  }

  @Test func `is of limited length`() {
    let long = String(repeating: "a", count: 10_000)
    #expect(line(.json, path: "/" + long, [.userAgent: long, .referer: long]).utf8.count < 4096)
  }
}
