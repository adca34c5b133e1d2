// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import TestSupport

@testable import longbox_replay

/// A folder of handmade records with the oddities of xkcd's.
struct Fixture: ~Copyable {
  /// The records by number; key order, spacing and escapes are part of the test.
  static let records: [Int: String] = [
    1: record(1, img: "floating_crate_(1).jpg", title: "Crate", date: ("2006", "1", "1")),
    2: record(2, img: "second.png", title: #"Caf\u00e9 \/ Bar"#, date: ("2006", "1", "1")),
    // xkcd has no comic 404.
    403: record(403, img: "before.png", title: "Before", date: ("2008", "3", "28")),
    405: record(405, img: "after.png", title: "After", date: ("2008", "3", "31")),
    859: record(859, img: "(.png", title: "(", date: ("2011", "2", "11")),
    1036: record(1036, img: "shared.png", title: "Shared", date: ("2012", "3", "30")),
    1037: record(
      1037,
      img: "shared.png",
      title: "Shared Again",
      date: ("2012", "4", "1"),
      more: #", "extra_parts": {"pre": "<b num=\"7\">", "num": 8}"#
    ),
    1084: record(1084, img: "twice.png", title: "Twice", date: ("2012", "7", "20")),
    1137: record(1137, img: "rtl.png", title: "\u{202E}LTR", date: ("2012", "11", "21")),
    1193: record(1193, img: "moving.gif", title: "Empty Alt", date: ("2013", "3", "31"), alt: ""),
    1446: record(1446, img: "%3F%3F%3F.png", title: "Descent", date: ("2014", "11", "12")),
    1608: record(1608, img: "", title: "No Picture", date: ("2015", "11", "25")),
    1609: record(1609, img: "latest.png", title: "Latest", date: ("2015", "11", "27")),
  ]

  /// The pictures by file name.
  static let pictures: [String: String] = [
    "floating_crate_(1).jpg": "bytes of the crate",
    "%3F%3F%3F.png": "bytes of the three question marks",
    "(.png": "bytes of the parenthesis",
    "twice.png": "bytes of the picture that has a double",
    "unused.png": "bytes that no comic shows",
  ]

  /// Wiki pages about some of the comics.
  static let explanations = #"""
    {"num": 1, "title": "1: Crate", "wikitext": "==Explanation==\nA [[2: Caf\u00e9]].", "source": "ours"}
    {"num": 859, "title": "859: (", "wikitext": "==Explanation==\n(", "source": "ours"}
    {"num": 1609, "title": "1609: Latest", "wikitext": "{{incomplete}}", "source": "ours"}

    """#

  /// A look-up that is played back byte by byte.
  static let recordedLookup =
    "\n\n\n{\"resultCount\":1, \"results\": [\n{\"wrapperType\":\"collection\", \"collectionId\":9}]}"

  /// iTunes and Wikipedia responses by file name.
  static let albums: [String: String] = [
    "itunes/index.json": #"""
    [{"file": "rows.json", "request": "https://itunes.apple.com/search?term=cafe"},
     {"file": "one.json", "request": "https://itunes.apple.com/lookup?id=9&entity=song&limit=200&country=us"}]
    """#,
    "itunes/rows.json": #"""
    {"resultCount": 2, "results": [
    {"wrapperType": "collection", "collectionId": 50, "artistId": 5, "artistName": "Café Bär", "collectionName": "Bean"},
    {"wrapperType": "track", "kind": "song", "collectionId": 50, "artistId": 5, "trackId": 51, "trackName": "Bean"},
    {"wrapperType": "artist", "artistId": 6, "artistName": "Barista"}]}
    """#,
    "itunes/one.json": recordedLookup,
    "wikipedia/query.json": #"""
    {"query": {"pages": {"1": {"pageid": 1, "title": "Café Bär", "extract": "<p>They made Bean.</p>"}}}}
    """#,
    "wikipedia/summary.json": #"""
    {"pageid": 2, "title": "Bean (album)", "description": "1999 album by Café Bär", "extract": "Bean is an album &amp; more."}
    """#,
    "wikipedia/broken.json": "[1, 2",
  ]

  private let temporary = TemporaryFolder()
  var folder: URL { temporary.url }

  /// Writes the folder, with `lines` instead of ``records`` if given.
  init(lines: [String]? = nil) throws {
    let text = (lines ?? Self.records.sorted { $0.key < $1.key }.map(\.value)).joined(separator: "\n")
    try write("\(text)\n", to: "xkcd/comics.jsonl")
    try write(Self.explanations, to: "explainxkcd/pages.jsonl")
    for (name, text) in Self.albums { try write(text, to: name) }
    for (name, bytes) in Self.pictures { try write(bytes, to: "xkcd/images/\(name)") }
  }

  private func write(_ text: String, to name: String) throws {
    try temporary.write(Array(text.utf8), to: name)
  }

  private static func record(
    _ number: Int,
    img: String,
    title: String,
    date: (String, String, String),
    alt: String = "Hovering.",
    more: String = ""
  ) -> String {
    #"{"month": "\#(date.1)", "num": \#(number), "link": "", "year": "\#(date.0)", "news": "", "#
      + #""safe_title": "\#(title)", "transcript": "Says \"num\": 5.", "alt": "\#(alt)", "#
      + #""img": "https://imgs.xkcd.com/comics/\#(img)", "title": "\#(title)", "day": "\#(date.2)"\#(more)}"#
  }
}

/// A client, and the replay server that it uses.
struct ReplayServer: Sendable {
  let client: any TestClientProtocol
  let replayed: Replayed
  let clock: JumpingClock
  let time: SettableTime

  func get(_ uri: String, headers: HTTPFields = [:]) async throws -> TestResponse {
    try await client.executeRequest(uri: uri, method: .get, headers: headers, body: nil)
  }

  func send(_ method: HTTPRequest.Method, _ uri: String, _ body: String = "") async throws -> TestResponse {
    try await client.executeRequest(uri: uri, method: method, headers: [:], body: ByteBuffer(string: body))
  }
}

/// Runs a test with a replay server for the fixture, over a socket if the test needs connections.
func withReplay(
  latest: Int? = nil,
  pictures: Replayed.Pictures = .init(),
  over setup: TestingSetup = .router,
  _ test: @Sendable (ReplayServer) async throws -> Void
) async throws {
  let fixture = try Fixture()
  let clock = JumpingClock()
  let time = SettableTime()
  let replayed = try Replayed(
    folder: fixture.folder,
    latest: latest,
    pictures: pictures,
    now: { time.now },
    clock: clock
  )
  let application = Application(
    router: replayed.router(),
    configuration: .init(address: .hostname("127.0.0.1", port: 0)),
    logger: .quiet
  )
  try await application.test(setup) { client in
    try await test(ReplayServer(client: client, replayed: replayed, clock: clock, time: time))
  }
  _ = consume fixture
}

extension Logger {
  static var quiet: Logger {
    var logger = Logger(label: "replay tests")
    logger.logLevel = .critical
    return logger
  }
}

extension TestResponse {
  var text: String { String(buffer: body) }

  func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(body.readableBytesView))
  }
}
