// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCatalog
import LongboxCore
import LongboxStore
import NIOCore
import Testing
import TestSupport

@testable import LongboxServer

@Suite("A comic in JSON", .timeLimit(.minutes(10))) struct ComicAPITests {
  @Test func `has its texts, its picture and its addresses`() async throws {
    let xkcd = FakeXkcd(latest: 6)
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

  @Test func `leaves out unknown fields`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    xkcd.set(HandmadeRecord.raw(6, transcript: ""), for: 6)
    try await withServer(xkcd, storing: 6...6) { bench async throws in
      let text = try await bench.get("/api/comics/6").text
      #expect(!text.contains("\"transcript\""))
      #expect(!text.contains("\"link\""))
      #expect(!text.contains("null"))
    }
  }

  @Test func `is fetched if it is not stored`() async throws {
    try await withServer(storing: 6...6) { bench async throws in
      let comic: SentComic = try await bench.decode("/api/comics/2")
      #expect(comic.title == "Bread 2")
      #expect(bench.xkcd.takePaths() == ["/2/info.0.json"])
    }
  }

  @Test func `has an entity tag, and may be read by pages of other sites`() async throws {
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

@Suite("A search in JSON", .timeLimit(.minutes(10))) struct SearchAPITests {
  @Test func `returns hits with marks and a total`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    xkcd.set(HandmadeRecord.raw(4, title: "Café Étude", alt: "Of dough & <patience>."), for: 4)
    try await withServer(xkcd) { bench async throws in
      let byTitle: SentResults = try await bench.decode("/api/search?q=cafe&deep=0")
      #expect(byTitle.results.map(\.number) == [4])
      #expect(byTitle.total == 1)
      #expect(!byTitle.deep)
      let match = try #require(byTitle.results.first?.match)
      #expect(match.field == "title")
      #expect(match.pieces.map(\.text).joined() == "Café Étude")
      #expect(match.pieces.filter(\.marked).map(\.text) == ["Café"])

      let byAlt: SentResults = try await bench.decode("/api/search?q=patience+dough")
      #expect(byAlt.deep)
      #expect(byAlt.query == "patience dough")
      let hit = try #require(byAlt.results.first)
      #expect(hit.match.field == "alt")
      #expect(hit.match.pieces.map(\.text).joined() == "Of dough & <patience>.")
      #expect(hit.match.pieces.filter(\.marked).map(\.text) == ["dough", "patience"])
      #expect(try await bench.get(#require(hit.thumbnail)).status == .ok)
      #expect(try await bench.get(hit.page).status == .ok)
      let byTitleOnly: SentResults = try await bench.decode("/api/search?q=patience&deep=false")
      #expect(byTitleOnly.total == 0)
    }
  }

  @Test func `is paginated`() async throws {
    try await withServer { bench async throws in
      let all: SentResults = try await bench.decode("/api/search?q=bread&deep=0")
      #expect(all.results.count == 6)
      var parts: [Int] = []
      for offset in stride(from: 0, to: 8, by: 2) {
        let part: SentResults = try await bench.decode("/api/search?q=bread&deep=0&limit=2&offset=\(offset)")
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
  func `accepts any text`(encoded: String) async throws {
    try await withServer { bench async throws in
      let found: SentResults = try await bench.decode("/api/search?q=\(encoded)")
      #expect(found.results.count <= found.total)
    }
  }
}

@Suite("Changes in JSON", .timeLimit(.minutes(10))) struct ChangesAPITests {
  @Test(arguments: [1, 2, 5, 6, 500]) func `come page by page, each comic once`(limit: Int) async throws {
    try await withServer { bench async throws in
      let (comics, next) = try await bench.changes(since: nil, limit: limit)
      #expect(comics.map(\.number).sorted() == [1, 2, 3, 4, 5, 6])
      #expect(Set(comics.map(\.number)).count == comics.count)
      let later = try await bench.changes(since: next, limit: limit)
      #expect(later.comics.isEmpty)
      #expect(later.next == next)
    }
  }

  @Test func `after a position are complete and contain nothing else`() async throws {
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

  @Test func `of one revision can fill several pages`() async throws {
    try await withServer(storing: nil) { bench async throws in
      await bench.back.catalog.lookForNewest()
      let records = (1...5).compactMap { number in
        bench.xkcd.record(number).map { raw in
          FetchedRecord(number: Comic.Number(of: number), raw: raw, fetchedAt: SettableTime.start)
        }
      }
      try await bench.back.store.comics.save(records)
      bench.xkcd.set(HandmadeRecord.raw(6, title: "Toast"), for: 6)
      try await bench.back.catalog.reload(Comic.Number(of: 6))
      let (comics, _) = try await bench.changes(since: nil, limit: 2)
      #expect(comics.map(\.number).sorted() == [1, 2, 3, 4, 5, 6])
    }
  }

  @Test func `are rejected if the position is ahead of the server`() async throws {
    try await withServer { bench async throws in
      let answer = try await bench.get("/api/comics?since=99999")
      #expect(answer.status == .conflict)
      let problem = try JSONDecoder().decode(SentProblem.self, from: Data(answer.bytes))
      #expect(problem.parameter == "since")
      #expect(problem.detail.contains("99999"))
    }
  }
}
