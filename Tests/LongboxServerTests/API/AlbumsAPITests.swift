// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCatalog
import LongboxCore
import Testing
import TestSupport

@testable import LongboxServer
@testable import longbox_replay

/// `/api/artists`, `/api/artists/{artist}` and `/api/albums/{album}`, with a replayed iTunes Store on a socket.
@Suite("Albums in JSON", .timeLimit(.minutes(5))) struct AlbumsAPITests {
  private struct Artists: Decodable {
    let country: String
    let artists: [Artist]
  }

  private struct Artist: Decodable {
    let id: Int
    let name: String
    let genre: String?
  }

  private struct Discography: Decodable {
    let country: String
    let artist: Artist?
    let albums: [Album]
  }

  private struct Album: Decodable {
    let id: Int
    let name, artist, country: String
    let artistID, year: Int?
    let released, genre: String?
  }

  private struct Details: Decodable {
    struct Track: Decodable {
      let disc, number: Int
      let title: String
      let milliseconds: Int?
      let artist: String?
    }

    let album: Album
    let tracks: [Track]
  }

  private func withStore(
    timeout: Duration = .seconds(600),
    calls: Int = 1_000,
    _ test: @Sendable (ReplayBench) async throws -> Void
  ) async throws {
    let folder = TemporaryFolder()
    try folder.write(HandmadeRecord.raw(1), to: "xkcd/comics.jsonl")
    try HandmadeAlbums.write(to: folder)
    try await withReplay(of: folder.url, timeout: timeout, storeCalls: calls, test)
    withExtendedLifetime(folder) {}
  }

  private func decode<Value: Decodable>(_ path: String, _ bench: ReplayBench) async throws -> Value {
    let answer = try await bench.get(path)
    #expect(answer.status == .ok, "\(path): \(answer.text)")
    #expect(answer.headers[.contentType] == "application/json")
    return try JSONDecoder().decode(Value.self, from: Data(answer.bytes))
  }

  @discardableResult
  private func problem(_ path: String, _ status: Int, _ bench: ReplayBench) async throws -> SentProblem {
    let answer = try await bench.get(path)
    #expect(answer.status.code == status, "\(path): \(answer.text)")
    #expect(answer.headers[.contentType] == "application/problem+json")
    #expect(answer.headers[.accessControlAllowOrigin] == "*")
    #expect(answer.headers[.cacheControl] == "no-store")
    let problem = try JSONDecoder().decode(SentProblem.self, from: Data(answer.bytes))
    #expect(problem.status == status)
    #expect(problem.detail.hasSuffix("."), "\(problem.detail)")
    return problem
  }

  /// The calls to a path of the replayed sources.
  private func calls(_ bench: ReplayBench, _ path: String) -> Int {
    bench.replayed.log.counts.byPath.reduce(0) { sum, entry in
      sum + (entry.key.split(separator: "?").first == path[...] ? entry.value : 0)
    }
  }

  private func fault(_ bench: ReplayBench, _ kind: String) throws {
    let json = Data(#"{"source": "itunes", \#(kind)}"#.utf8)
    _ = bench.replayed.plan.add(try JSONDecoder().decode(Fault.self, from: json))
  }

  @Test func `lead from a name to the artist, the albums and the songs`() async throws {
    try await withStore { bench async throws in
      let found: Artists = try await decode("/api/artists?q=LAMPS", bench)
      #expect(found.country == "us")
      #expect(found.artists.map(\.name) == ["The Lamps"])
      let artist = try #require(found.artists.first)
      #expect(artist.id == 7 && artist.genre == "Rock")

      let discography: Discography = try await decode("/api/artists/\(artist.id)?country=us", bench)
      #expect(discography.artist?.name == "The Lamps")
      #expect(
        discography.albums.map(\.name) == [
          "Live at the Pole", "Moth - EP", "Glow - Single", "The Lamps", "Wick",
        ],
        "newest first, and an album with a clean version once"
      )
      let album = try #require(discography.albums.last)
      #expect(album.id == 70 && album.artistID == 7 && album.year == 1999)
      #expect(album.released == "1999-03-02" && album.genre == "Rock" && album.country == "us")

      let details: Details = try await decode("/api/albums/\(album.id)", bench)
      #expect(details.album.name == "Wick" && details.album.artist == "The Lamps")
      #expect(details.tracks.map { [$0.disc, $0.number] } == [[1, 1], [1, 3], [2, 1]])
      #expect(details.tracks.map(\.title) == ["First Light", "Third <Light>", "Other Side"])
      #expect(details.tracks.allSatisfy { $0.milliseconds == 65_000 && $0.artist == nil })
    }
  }

  @Test func `keep letters of all scripts, and leave out unknown fields`() async throws {
    try await withStore { bench async throws in
      let found: Artists = try await decode("/api/artists?q=SL%C3%98W+lamp&country=gb", bench)
      #expect(found.country == "gb")
      #expect(found.artists.map(\.name) == ["Sløw <Lamp> & Cö"])
      #expect(try await bench.get("/api/albums/70").text.contains("null") == false)
      let unknown: Artists = try await decode("/api/artists?q=nobody", bench)
      #expect(unknown.artists.isEmpty)
    }
  }

  @Test func `ask the store once, also for pages, and have an entity tag`() async throws {
    try await withStore { bench async throws in
      for path in ["/api/artists?q=lamps", "/api/artists/7", "/api/albums/70"] {
        let answer = try await bench.get(path)
        let tag = try #require(answer.headers[.eTag])
        #expect(answer.headers[.cacheControl] == "public, no-cache")
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
        let again = try await bench.get(path, [.ifNoneMatch: tag])
        #expect(again.status == .notModified && again.bytes.isEmpty)
      }
      #expect(try await bench.get("/albums/70?country=us").text.contains("First Light"))
      #expect(calls(bench, "/itunes/search") == 1)
      #expect(calls(bench, "/itunes/lookup") == 2)
    }
  }

  @Test func `name the wrong parameter, and send no request to a source`() async throws {
    let wrong: [(path: String, parameter: String)] = [
      ("/api/artists", "q"), ("/api/artists?q=", "q"), ("/api/artists?q=+%09+", "q"),
      ("/api/artists?q=a&q=b", "q"), ("/api/artists?name=a", "name"),
      ("/api/artists?q=\(String(repeating: "x", count: 201))", "q"),
      ("/api/artists?q=a&country=", "country"), ("/api/artists?q=a&country=u", "country"),
      ("/api/artists?q=a&country=usa", "country"), ("/api/artists?q=a&country=1%C3%A4", "country"),
      ("/api/artists/7?country=x1", "country"), ("/api/artists/7?show=live", "show"),
      ("/api/artists/x", "artist"), ("/api/artists/0", "artist"), ("/api/artists/-7", "artist"),
      ("/api/artists/7.0", "artist"), ("/api/artists/99999999999999999999", "artist"),
      ("/api/albums/x", "album"), ("/api/albums/0", "album"), ("/api/albums/070", "album"),
      ("/api/albums/9007199254740992", "album"), ("/api/albums/70?q=a", "q"),
    ]
    try await withStore { bench async throws in
      for (path, parameter) in wrong {
        #expect(try await problem(path, 400, bench).parameter == parameter, "\(path)")
      }
      for path in ["/api/artists/7/albums", "/api/albums"] { try await problem(path, 404, bench) }
      #expect(calls(bench, "/itunes/search") == 0 && calls(bench, "/itunes/lookup") == 0)
    }
  }

  @Test func `say that the store doesn't have it`() async throws {
    try await withStore { bench async throws in
      for path in ["/api/artists/4", "/api/albums/4"] { try await problem(path, 404, bench) }
      try fault(bench, #""kind": "status", "status": 400"#)
      try await problem("/api/artists?q=lamps&country=zz", 404, bench)
    }
  }

  @Test(arguments: [
    (#""kind": "status", "status": 500"#, [502, 503]), (#""kind": "reset""#, [503]),
    (#""kind": "html""#, [503]), (#""kind": "empty""#, [503]),
    (#""kind": "status", "status": 403"#, [503]),
  ])
  func `say why the store can't be asked, and still give what is stored`(kind: String, statuses: [Int])
    async throws
  {
    try await withStore { bench async throws in
      let _: Details = try await decode("/api/albums/70", bench)
      bench.time.advance(by: 31 * 24 * 3600)
      try fault(bench, kind)
      for path in ["/api/artists?q=lamps", "/api/artists/7", "/api/albums/71"] {
        let answer = try await bench.get(path)
        #expect(statuses.contains(answer.status.code), "\(path): \(answer.status) \(answer.text)")
        try await problem(path, answer.status.code, bench)
      }
      let old: Details = try await decode("/api/albums/70", bench)
      #expect(old.tracks.count == 3)
    }
  }

  @Test func `say since when the store refuses to answer, and when to ask again`() async throws {
    try await withStore { bench async throws in
      try fault(bench, #""kind": "status", "status": 403"#)
      for path in ["/api/artists?q=lamps", "/api/artists/7"] {
        let answer = try await bench.get(path)
        #expect(answer.headers[.retryAfter].flatMap { Int($0) } != nil)
        #expect(answer.text.contains("The iTunes Store has refused since"))
        try await problem(path, 503, bench)
      }
      #expect(calls(bench, "/itunes/search") == 1 && calls(bench, "/itunes/lookup") == 0)
    }
  }

  @Test func `say when to ask again while the limit of the store is used up`() async throws {
    try await withStore(timeout: .seconds(5), calls: 1) { bench async throws in
      // The API's timeout must not cut short the one call that the limit allows.
      _ = try await bench.catalog.albums.artists(named: "lamps", in: .unitedStates, within: .seconds(600))
      let _: Artists = try await decode("/api/artists?q=lamps", bench)
      for (waiting, path) in ["/api/artists?q=pole", "/api/artists/7", "/api/albums/70"].enumerated() {
        let answer = try await bench.get(path)
        let seconds = answer.headers[.retryAfter].flatMap { Int($0) } ?? 0
        // One call a minute, so each waits a minute longer than the one before it in the line.
        #expect((1...60 * (waiting + 1)).contains(seconds), "\(path): \(answer.headers)")
        try await problem(path, 503, bench)
      }
      #expect(calls(bench, "/itunes/search") == 1 && calls(bench, "/itunes/lookup") == 0)
      let stored: Artists = try await decode("/api/artists?q=lamps", bench)
      #expect(stored.artists.count == 1)
    }
  }
}
