// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCore
import LongboxStore
import LongboxUpstream
import Testing

@testable import LongboxServer

/// What the API sends, as a client of its own would read it.
private struct SentComic: Decodable, Equatable {
  struct Picture: Decodable, Equatable {
    var address: String
    var thumbnail: String
    var doubleSize: String?
    var mediaType: String
    var width: Int
    var height: Int
    var bytes: Int
    var frames: Int
  }

  var number: Int
  var title: String
  var date: String?
  var alt: String
  var transcript: String?
  var link: String?
  var interactive: Bool
  var picture: Picture?
  var page: String
  var source: String
}

private struct Found: Decodable {
  struct Hit: Decodable {
    struct Match: Decodable {
      struct Piece: Decodable {
        var text: String
        var marked: Bool
      }

      var field: String
      var pieces: [Piece]
    }

    var number: Int
    var title: String
    var match: Match
    var page: String
    var thumbnail: String?
  }

  var query: String
  var deep: Bool
  var offset: Int
  var total: Int
  var didYouMean: String?
  var results: [Hit]
}

private struct Changes: Decodable {
  var revision: Int
  var samples: Bool
  var comics: [SentComic]
  var next: String
  var more: Bool
}

private struct Told: Decodable {
  var type: String
  var title: String
  var status: Int
  var detail: String
  var parameter: String?
}

extension ServerBench {
  fileprivate func decode<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) async throws
    -> Value
  {
    let answer = try await get(path)
    #expect(answer.status == .ok, "\(path): \(answer.text)")
    #expect(answer.headers[.contentType] == "application/json")
    return try JSONDecoder().decode(Value.self, from: Data(answer.bytes))
  }

  /// All that there is after a place, part by part.
  fileprivate func changes(since place: String?, limit: Int) async throws -> (
    comics: [SentComic], next: String
  ) {
    var all: [SentComic] = []
    var next = place
    for _ in 0..<100 {
      let part: Changes = try await decode("/api/comics?limit=\(limit)" + (next.map { "&since=\($0)" } ?? ""))
      #expect(part.comics.count <= limit)
      all += part.comics
      next = part.next
      if !part.more { return (all, part.next) }
    }
    Issue.record("A hundred parts, and still more.")
    return (all, "")
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A comic in JSON` {
  @Test func `has its texts, its picture and its addresses`() async throws {
    let xkcd = LittleXkcd(latest: 6)
    let raw = HandmadeRecord.raw(
      3,
      title: "Tom &amp; Jerry",
      date: Date(timeIntervalSince1970: 1_300_000_000),
      alt: "<b> stays \\ud83d\\udce6",
      transcript: "[[A loaf.]]"
    )
    xkcd.set(raw, for: 3)
    try await withServer(xkcd) { bench async throws in
      let comic: SentComic = try await bench.decode("/api/comics/3")
      #expect(comic.number == 3)
      #expect(comic.title == "Tom & Jerry")
      #expect(comic.date == "2011-03-13")
      #expect(comic.alt == "<b> stays 📦")
      #expect(comic.transcript?.contains("A loaf.") == true)
      #expect(comic.link == nil)
      #expect(!comic.interactive)
      #expect(comic.page == "/3/")
      #expect(comic.source == "https://xkcd.com/3/")
      let picture = try #require(comic.picture)
      #expect((picture.width, picture.height, picture.frames) == (6, 4, 1))
      #expect(picture.mediaType == "image/png")
      let sent = try await bench.get(picture.address)
      #expect(sent.bytes == HandmadeRecord.picture(3))
      #expect(sent.bytes.count == picture.bytes)
      #expect(try await bench.get(picture.thumbnail).status == .ok)
      #expect(try await bench.get(comic.page).status == .ok)
    }
  }

  @Test func `leaves out what is not known`() async throws {
    let xkcd = LittleXkcd(latest: 6)
    xkcd.set(HandmadeRecord.raw(6, transcript: ""), for: 6)
    try await withServer(xkcd, storing: 6...6) { bench async throws in
      let text = try await bench.get("/api/comics/6").text
      #expect(!text.contains("\"transcript\""))
      #expect(!text.contains("\"link\""))
      #expect(!text.contains("null"))
    }
  }

  @Test func `is fetched where it is not stored`() async throws {
    try await withServer(storing: 6...6) { bench async throws in
      let comic: SentComic = try await bench.decode("/api/comics/2")
      #expect(comic.title == "Bread 2")
      #expect(bench.xkcd.takePaths() == ["/2/info.0.json"])
    }
  }

  @Test func `is not sent again to who has it, by pages of other sites as well`() async throws {
    try await withServer { bench async throws in
      for path in ["/api/comics/3", "/api/comics", "/api/search?q=bread", "/api/openapi.json"] {
        let answer = try await bench.get(path)
        let tag = try #require(answer.headers[.eTag])
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
        let again = try await bench.get(path, [.ifNoneMatch: tag])
        #expect(again.status == .notModified)
        #expect(again.headers[.accessControlAllowOrigin] == "*")
        let head = try await bench.send(.head, path)
        #expect(head.status == .ok)
        #expect(head.body.readableBytes == 0)
      }
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A search in JSON` {
  @Test func `finds, marks and counts`() async throws {
    let xkcd = LittleXkcd(latest: 6)
    xkcd.set(HandmadeRecord.raw(4, title: "Café Étude", alt: "Of dough & <patience>."), for: 4)
    try await withServer(xkcd) { bench async throws in
      let byTitle: Found = try await bench.decode("/api/search?q=cafe&deep=0")
      #expect(byTitle.results.map(\.number) == [4])
      #expect(byTitle.total == 1)
      #expect(!byTitle.deep)
      let match = try #require(byTitle.results.first?.match)
      #expect(match.field == "title")
      #expect(match.pieces.map(\.text).joined() == "Café Étude")
      #expect(match.pieces.filter(\.marked).map(\.text) == ["Café"])

      let byAlt: Found = try await bench.decode("/api/search?q=patience+dough")
      #expect(byAlt.deep)
      #expect(byAlt.query == "patience dough")
      let hit = try #require(byAlt.results.first)
      #expect(hit.match.field == "alt")
      #expect(hit.match.pieces.map(\.text).joined() == "Of dough & <patience>.")
      #expect(hit.match.pieces.filter(\.marked).map(\.text) == ["dough", "patience"])
      #expect(try await bench.get(#require(hit.thumbnail)).status == .ok)
      #expect(try await bench.get(hit.page).status == .ok)
      let byTitleOnly: Found = try await bench.decode("/api/search?q=patience&deep=false")
      #expect(byTitleOnly.total == 0)
    }
  }

  @Test func `is handed out in parts`() async throws {
    try await withServer { bench async throws in
      let all: Found = try await bench.decode("/api/search?q=bread&deep=0")
      #expect(all.results.count == 6)
      var parts: [Int] = []
      for offset in stride(from: 0, to: 8, by: 2) {
        let part: Found = try await bench.decode("/api/search?q=bread&deep=0&limit=2&offset=\(offset)")
        #expect(part.total == 6)
        #expect(part.offset == offset)
        parts += part.results.map(\.number)
      }
      #expect(parts == all.results.map(\.number))
    }
  }

  @Test(arguments: [
    "", "%22", "%00", "%F0%9F%98%80", "is%3Afavorite", "OR+OR+-", "420-425", "9999999999", "%ff%fe", "%",
    "%22%22%22-%22", "2012-12",
  ])
  func `takes any text for a question`(encoded: String) async throws {
    try await withServer { bench async throws in
      let found: Found = try await bench.decode("/api/search?q=\(encoded)")
      #expect(found.results.count <= found.total)
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Changes in JSON` {
  @Test(arguments: [1, 2, 5, 6, 500]) func `come part by part, each comic once`(limit: Int) async throws {
    try await withServer { bench async throws in
      let (comics, next) = try await bench.changes(since: nil, limit: limit)
      #expect(comics.map(\.number).sorted() == [1, 2, 3, 4, 5, 6])
      #expect(Set(comics.map(\.number)).count == comics.count)
      let later = try await bench.changes(since: next, limit: limit)
      #expect(later.comics.isEmpty)
      #expect(later.next == next)
    }
  }

  @Test func `that came after a place are all and the only ones that follow it`() async throws {
    try await withServer { bench async throws in
      let place = try await bench.changes(since: nil, limit: 4).next
      bench.xkcd.set(HandmadeRecord.raw(2, title: "Toast"), for: 2)
      try await bench.back.catalog.reload(Comic.Number(of: 2))
      bench.xkcd.publish(upTo: 7)
      await bench.back.catalog.lookForNewest()
      let changes = try await bench.changes(since: place, limit: 1)
      #expect(Set(changes.comics.map(\.number)) == [2, 7])
      #expect(changes.comics.contains { $0.title == "Toast" })
    }
  }

  @Test func `can be gone through although comics of one revision fill several parts`() async throws {
    try await withServer(storing: nil) { bench async throws in
      try await bench.back.catalog.lookForNewest()
      let records = (1...5).compactMap { number in
        bench.xkcd.record(number).map { raw in
          FetchedRecord(number: Comic.Number(of: number), raw: raw, fetchedAt: SettableTime.start)
        }
      }
      try await bench.back.store.save(records)
      bench.xkcd.set(HandmadeRecord.raw(6, title: "Toast"), for: 6)
      try await bench.back.catalog.reload(Comic.Number(of: 6))
      let (comics, _) = try await bench.changes(since: nil, limit: 2)
      #expect(comics.map(\.number).sorted() == [1, 2, 3, 4, 5, 6])
    }
  }

  @Test func `can't be told from a place that is ahead`() async throws {
    try await withServer { bench async throws in
      let answer = try await bench.get("/api/comics?since=99999")
      #expect(answer.status == .conflict)
      let told = try JSONDecoder().decode(Told.self, from: Data(answer.bytes))
      #expect(told.parameter == "since")
      #expect(told.detail.contains("99999"))
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A problem in JSON` {
  @Test(
    arguments: [
      ("/api/search", 400, "q"), ("/api/search?q=a&deep=yes", 400, "deep"),
      ("/api/search?q=a&limit=0", 400, "limit"),
      ("/api/search?q=a&limit=101", 400, "limit"), ("/api/search?q=a&limit=+5", 400, "limit"),
      ("/api/search?q=a&limit=05", 400, "limit"), ("/api/search?q=a&limit=", 400, "limit"),
      ("/api/search?q=a&offset=-1", 400, "offset"), ("/api/search?q=a&offset=1e3", 400, "offset"),
      ("/api/search?q=a&offset=99999999999999999999", 400, "offset"), ("/api/search?q=a&q=b", 400, "q"),
      ("/api/search?query=a", 400, "query"), ("/api/comics?since=yesterday", 400, "since"),
      ("/api/comics?since=1.2.3", 400, "since"), ("/api/comics?since=", 400, "since"),
      ("/api/comics?since=-1", 400, "since"), ("/api/comics?limit=501", 400, "limit"),
      ("/api/comics/x", 400, "number"), ("/api/comics/0", 400, "number"), ("/api/comics/-3", 400, "number"),
      ("/api/comics/3.0", 400, "number"), ("/api/comics/99999999999999999999", 400, "number"),
      ("/api/comics/404", 404, "number"), ("/api/comics/7", 404, "number"),
      ("/api/comics/3?deep=1", 400, "deep"),
      ("/api", 404, nil), ("/api/nothing", 404, nil), ("/api/comics/3/nothing", 404, nil),
    ] as [(String, Int, String?)]
  )
  func `names what was wrong`(path: String, status: Int, parameter: String?) async throws {
    try await withServer { bench async throws in
      let answer = try await bench.get(path, [.origin: "https://example.org"])
      #expect(answer.status.code == status)
      #expect(answer.headers[.contentType] == "application/problem+json")
      #expect(answer.headers[.accessControlAllowOrigin] == "*")
      #expect(answer.headers[.cacheControl] == "no-store")
      let told = try JSONDecoder().decode(Told.self, from: Data(answer.bytes))
      #expect(told.type == "about:blank")
      #expect(told.title == answer.status.reasonPhrase)
      #expect(told.status == status)
      #expect(told.parameter == parameter)
      #expect(told.detail.hasSuffix("."))
      #expect(bench.xkcd.takePaths().isEmpty)
    }
  }

  @Test func `is what a question longer than is taken gets`() async throws {
    try await withServer { bench async throws in
      let box = "%F0%9F%93%A6"
      #expect(try await bench.get("/api/search?q=" + String(repeating: box, count: 200)).status == .ok)
      let answer = try await bench.get("/api/search?q=" + String(repeating: box, count: 201))
      #expect(answer.status == .badRequest)
    }
  }

  @Test func `is what other methods get`() async throws {
    try await withServer { bench async throws in
      for method in [HTTPRequest.Method.post, .put, .delete, .patch] {
        let answer = try await bench.send(method, "/api/comics/3")
        #expect(answer.status == .methodNotAllowed)
        #expect(answer.headers[.allow] == "GET, HEAD")
        #expect(answer.headers[.contentType] == "application/problem+json")
      }
    }
  }

  @Test(
    arguments: [
      (UpstreamError.unreachable(.xkcd, reason: "no route"), 503),
      (.timedOut(.xkcd, subject: "comic 2"), 504),
      (.malformed(.xkcd, at: "num"), 502),
    ] as [(UpstreamError, Int)]
  )
  func `is a comic that can't be had`(error: UpstreamError, status: Int) async throws {
    try await withServer(storing: 6...6) { bench async throws in
      bench.xkcd.setEverywhere(.failure(error))
      let answer = try await bench.get("/api/comics/2")
      #expect(answer.status.code == status)
      #expect(answer.headers[.contentType] == "application/problem+json")
    }
  }

  @Test func `is a server that has nothing yet`() async throws {
    let xkcd = LittleXkcd(latest: 3)
    xkcd.setEverywhere(.failure(.unreachable(.xkcd, reason: "no route")))
    try await withServer(xkcd, storing: nil) { bench async throws in
      #expect(try await bench.get("/api/comics/1").status == .serviceUnavailable)
      let changes: Changes = try await bench.decode("/api/comics")
      #expect(changes.comics.isEmpty && !changes.more && changes.next == "0")
      let found: Found = try await bench.decode("/api/search?q=bread")
      #expect(found.total == 0)
    }
  }
}
