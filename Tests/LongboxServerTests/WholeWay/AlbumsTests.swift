// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCore
import NIOCore
import Testing
import TestSupport

@testable import LongboxCatalog
@testable import LongboxServer
@testable import longbox_replay

/// Albums from a replayed store and encyclopedia, over a socket, to the reader.
@Suite("Albums end to end", .timeLimit(.minutes(10))) struct AlbumsTests {
  func recording() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try folder.write(HandmadeRecord.raw(1), to: "xkcd/comics.jsonl")
    try HandmadeAlbums.write(to: folder)
    return folder
  }

  func fault(_ bench: ReplayBench, _ source: String, _ kind: String) throws {
    let json = Data(#"{"source": "\#(source)", \#(kind)}"#.utf8)
    _ = bench.replayed.plan.add(try JSONDecoder().decode(Fault.self, from: json))
  }

  func calls(_ bench: ReplayBench, _ path: String) -> Int {
    bench.replayed.log.counts.byPath.reduce(0) { sum, entry in
      sum + (entry.key.split(separator: "?").first == path[...] ? entry.value : 0)
    }
  }

  func post(_ bench: ReplayBench, _ path: String, _ form: String, cookie: String? = nil) async throws
    -> TestResponse
  {
    var headers: HTTPFields = [.origin: "http://localhost"]
    headers[.cookie] = cookie
    return try await bench.client.executeRequest(
      uri: path,
      method: .post,
      headers: headers,
      body: ByteBuffer(string: form)
    )
  }

  @Test func `an artist is found, then albums by year, then tracks with an article`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      let found = try await bench.get("/albums?artist=lamps")
      #expect(found.status == .ok)
      #expect(found.text.contains(#"<a href="/albums/artists/7?country=us"><bdi>The Lamps</bdi></a>"#))
      let other = try await bench.get("/albums?artist=SL%C3%98W+lamp")
      #expect(other.text.contains("<bdi>Sløw &lt;Lamp&gt; &amp; Cö</bdi>"))

      let artist = try await bench.get("/albums/artists/7?country=us").text
      let order = ["Live at the Pole", "Moth - EP", "Glow - Single", "The Lamps</bdi></span>", "Wick"]
      let places = order.compactMap { artist.range(of: $0, options: .backwards)?.lowerBound }
      #expect(places.count == 5 && places == places.sorted())
      #expect(artist.contains("Clean version, 3 tracks"))
      let live = try await bench.get("/albums/artists/7?country=us&show=live").text
      #expect(live.contains("Live at the Pole") && !live.contains("Moth - EP"))

      let album = try await bench.get("/albums/70?country=us")
      #expect(album.status == .ok)
      #expect(album.text.contains("<bdi>Third &lt;Light&gt;</bdi>"))
      #expect(album.text.contains("Not sold in this country"))
      #expect(album.text.contains("Disc 2") && album.text.contains("1:05"))
      #expect(album.text.contains("3 songs, 3 min") && album.text.contains("2 March 1999"))
      #expect(album.text.contains("Wick is the debut album by the Lamps."))
      #expect(album.text.contains("revision 100") && album.text.contains("CC BY-SA 4.0"))
      #expect(album.text.contains(#"href="https://music.apple.com/us/album/70""#))
      let cover = try await bench.get("/albums/70/cover")
      #expect(cover.headers[.contentType] == "image/jpeg")
      #expect(calls(bench, "/artwork/image/70/600x600bb.jpg") == 1)
    }
  }

  @Test func `repeated requests are answered from the cache`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      for _ in 0..<3 { _ = try await bench.get("/albums/70?country=us") }
      for _ in 0..<3 { _ = try await bench.get("/albums?artist=lamps&country=us") }
      for _ in 0..<2 { _ = try await bench.get("/albums?artist=+LAMPS&country=us") }
      for path in ["/itunes/lookup", "/itunes/search", "/wikipedia/api.php"] {
        #expect(calls(bench, path) == 1, "\(path)")
      }
      bench.time.advance(by: 25 * 3600)
      _ = try await bench.get("/albums?artist=lamps&country=us")
      _ = try await bench.get("/albums/70?country=us")
      #expect(calls(bench, "/itunes/search") == 2, "a search is old after a day")
      #expect(calls(bench, "/itunes/lookup") == 1)
    }
  }

  @Test func `one name has one answer, however it is typed`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      // The second and the third have the accent as a mark of its own.
      for name in ["C%C3%B6+lamp", "Co%CC%88+lamp", "co%CC%88++LAMP"] {
        let page = try await bench.get("/albums?artist=\(name)&country=us")
        #expect(page.text.contains("<bdi>Sløw &lt;Lamp&gt; &amp; Cö</bdi>"))
      }
      #expect(calls(bench, "/itunes/search") == 1)
      for name in ["lamp%27s", "lamp%E2%80%99s", "LAMP%CA%BCs"] {
        #expect(try await bench.get("/albums?artist=\(name)&country=us").text.contains("No artist found"))
      }
      #expect(calls(bench, "/itunes/search") == 2)
      #expect(try await bench.get("/albums?artist=lamps&country=us").text.contains("The Lamps"))
    }
  }

  @Test func `a request over the limit shows the waiting time, and nothing is lost`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url, timeout: .seconds(5), storeCalls: 1) { bench async throws in
      // The page's timeout must not cut short the one call that the limit allows.
      _ = try await bench.catalog.albums.artists(named: "lamps", in: .unitedStates, within: .seconds(600))
      #expect(try await bench.get("/albums?artist=lamps").text.contains("The Lamps"))
      let page = try await bench.get("/albums/70?country=us")
      #expect(page.status == .ok)
      #expect(page.text.contains("iTunes limits searches per minute"))
      let seconds = page.text.firstMatch(of: #/<strong>(\d+) seconds?<\/strong>/#).flatMap { Int($0.1) }
      #expect((2...60).contains(seconds ?? 0))
      #expect(page.headers[.named("Refresh")] == "15")
      #expect(page.text.contains("Cancel"))
      #expect(calls(bench, "/itunes/search") == 1 && calls(bench, "/itunes/lookup") == 0)
    }
  }

  @Test(arguments: [
    #""kind": "status", "status": 403"#, #""kind": "status", "status": 429"#, #""kind": "html""#,
    #""kind": "empty""#,
  ])
  func `while the store refuses to answer, the page says since when, and isn't loaded again by itself`(
    kind: String
  ) async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      try fault(bench, "itunes", kind)
      let sentence = #/The iTunes Store has refused since .*\d\d:\d\d UTC; next try at .*\d\d:\d\d UTC\./#
      for path in ["/albums?artist=lamps", "/albums/70?country=us", "/albums/artists/7?country=us"] {
        let page = try await bench.get(path)
        #expect(page.status == .serviceUnavailable)
        #expect(page.text.contains(sentence) && page.text.contains("Try again"))
        #expect(page.headers[.named("Refresh")] == nil && !page.text.contains("No artist found"))
      }
      #expect(calls(bench, "/itunes/search") == 1 && calls(bench, "/itunes/lookup") == 0)
      let health = try await bench.get("/healthz").text
      #expect(health.contains("albumsRefusedSince") && health.contains("albumsNextTry"))
    }
  }

  @Test(arguments: [
    #""kind": "empty""#, #""kind": "reset""#, #""kind": "html""#, #""kind": "status", "status": 500"#,
  ])
  func `an invalid response is an error, but stored albums are still shown`(kind: String) async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      _ = try await bench.get("/albums/70?country=us")
      bench.time.advance(by: 31 * 24 * 3600)
      try fault(bench, "itunes", kind)
      let none = try await bench.get("/albums?artist=lamps")
      #expect(none.status == .serviceUnavailable)
      #expect(none.text.contains(#"role="alert""#) && !none.text.contains("knows no artist"))
      let old = try await bench.get("/albums/70?country=us")
      #expect(old.status == .ok)
      #expect(old.text.contains("First Light") && old.text.contains("has not answered since"))
    }
  }

  @Test func `a saved album stays in the reader's library until it is removed, which can be undone`()
    async throws
  {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      let form = "album=70&country=us&name=Wick&artist=The+Lamps&year=1999&back=%2Falbums%2F70%3Fcountry%3Dus"
      let saved = try await post(bench, "/albums/save", form)
      #expect(saved.status == .seeOther)
      #expect(saved.headers[.location] == "/albums/70?country=us")
      let cookie = String(try #require(saved.headers[.setCookie]).prefix { $0 != ";" })
      func get(_ path: String) async throws -> String {
        try await bench.client.executeRequest(uri: path, method: .get, headers: [.cookie: cookie], body: nil)
          .text
      }
      let page = try await get("/albums/70?country=us")
      #expect(page.contains("albums album is-saved") && page.contains("Album saved for offline."))
      #expect(try await get("/albums/saved").contains(#"<a class="card" href="/albums/70?country=us">"#))
      _ = try await get("/albums/artists/7?country=us")
      #expect(try await get("/albums").contains("Recent artists"))
      _ = try await post(bench, "/albums/remove", "album=70&back=%2Falbums%2Fsaved", cookie: cookie)
      let empty = try await get("/albums/saved")
      #expect(empty.contains("Albums you save appear here") && empty.contains("Undo"))
      _ = try await post(bench, "/undo", "back=%2Falbums%2Fsaved", cookie: cookie)
      #expect(try await get("/albums/saved").contains("Wick"))
    }
  }

  @Test func `a quiz about one album requests no other album from the store`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      var cookie: String?
      for id in [70, 72, 73, 74] {
        let form = "album=\(id)&country=us&name=A&artist=The+Lamps&year=1999&back=%2F"
        let saved = try await post(bench, "/albums/save", form, cookie: cookie)
        cookie = cookie ?? saved.headers[.setCookie].map { String($0.prefix { $0 != ";" }) }
      }
      _ = try await bench.get("/albums/72?country=us")
      #expect(calls(bench, "/itunes/lookup") == 1)
      let quiz = try await bench.client.executeRequest(
        uri: "/albums/70/quiz?country=us",
        method: .get,
        headers: [.cookie: try #require(cookie)],
        body: nil
      )
      #expect(quiz.status == .ok && quiz.text.contains("Which album?"))
      #expect(calls(bench, "/itunes/lookup") == 2)
    }
  }

  @Test(arguments: [
    (#""kind": "status", "status": 404"#, 404), (#""kind": "status", "status": 503"#, 503),
    (#""kind": "reset""#, 503),
  ])
  func `a placeholder replaces a missing cover, with a status that says why`(kind: String, status: Int)
    async throws
  {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      #expect(try await bench.get("/albums/70/cover").status == .notFound, "no stored answer has it yet")
      _ = try await bench.get("/albums/70?country=us")
      try fault(bench, "artwork", kind)
      let sleeve = try await bench.get("/albums/70/cover")
      #expect(sleeve.status.code == status)
      #expect(sleeve.headers[.contentType] == "image/svg+xml" && sleeve.text.hasPrefix("<svg"))
      #expect(sleeve.headers[.cacheControl] == "no-store")
    }
  }

  @Test func `a picture server that does not respond blocks no reader`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url, timeout: .milliseconds(300)) { bench async throws in
      while !(try await bench.get("/albums/70?country=us")).text.contains("First Light") {}
      try fault(bench, "artwork", #""kind": "delay", "delay": 60000"#)
      #expect(try await bench.get("/albums/70/cover").status == .serviceUnavailable)
      await bench.catalog.albums.cancelAll()
    }
  }

  @Test(arguments: [
    ("/albums?artist=\(String(repeating: "x", count: 500))", 400, "That is too long for an artist’s name."),
    ("/api/artists?q=\(String(repeating: "%E9%AC%BC", count: 150))", 400, "too long for an artist’s name"),
    ("/albums?artist=\(String(repeating: "%D0%B6", count: 100))", 200, "No artist found in the"),
  ])
  func `wrong input by the reader is no error of the server`(path: String, status: Int, sentence: String)
    async throws
  {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      let page = try await bench.get(path)
      #expect(page.status.code == status)
      #expect(page.text.contains(sentence))
      try fault(bench, "itunes", #""kind": "status", "status": 400"#)
      let nowhere = try await bench.get("/albums?artist=lamps&country=zz")
      #expect(nowhere.status == .notFound && nowhere.text.contains("the country “zz”"))
    }
  }

  @Test func `an album that a country's store lacks names the country, and leads to the others`() async throws
  {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      let album = try await bench.get("/albums/999?country=jp")
      #expect(album.status == .notFound)
      #expect(album.text.contains("This album is not in the Japan store."))
      #expect(album.text.contains(##"action="/albums/999" method="get""##))
      #expect(album.text.contains(#"<option value="gb">United Kingdom</option>"#))
      let artist = try await bench.get("/albums/artists/999?country=jp&show=eps")
      #expect(artist.text.contains("This artist is not in the Japan store."))
      #expect(artist.text.contains(##"action="/albums/artists/999" method="get""##))
    }
  }

  @Test func `a quiz works with plain forms, and its result creates the reader's library`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      let path = "/albums/70/quiz?country=us"
      #expect(
        try await bench.get("/albums/70?country=us").text.contains(#"href="/albums/70/quiz?country=us""#)
      )
      let start = try await bench.get(path)
      #expect(start.status == .ok && start.headers[.cacheControl] == "private, no-store")
      #expect(start.text.contains(#"href="/albums/70?country=us" aria-label="Back to the album""#))
      var page = try await post(bench, path, "start=tracks")
      #expect(page.text.contains("0 of 3") && page.headers[.setCookie] == nil, "nothing is kept yet")
      for title in ["first+light", "wick", "third+light"] where !page.text.contains("3 of 3") {
        let state = try #require(page.text.firstMatch(of: /name="state" value="([\w-]+)"/)?.1)
        page = try await post(bench, path, "state=\(state)&guess=\(title)")
      }
      let state = try #require(page.text.firstMatch(of: /name="state" value="([\w-]+)"/)?.1)
      page = try await post(bench, path, "state=\(state)&do=give-up")
      let cookie = String(try #require(page.headers[.setCookie]).prefix { $0 != ";" })
      let again = try await bench.client.executeRequest(
        uri: path,
        method: .get,
        headers: [.cookie: cookie],
        body: nil
      )
      #expect(again.text.contains("Best: 2 of 3"))
      #expect(again.text.contains("Practice missed tracks (1)"))
      #expect(try await post(bench, path, "state=x&guess=a").status == .badRequest)
      #expect(try await bench.get("/albums/999/quiz?country=us").status == .notFound)
      let other = try await bench.client.executeRequest(
        uri: path,
        method: .post,
        headers: [.origin: "https://evil.example"],
        body: ByteBuffer(string: "start=tracks")
      )
      #expect(other.status == .forbidden)
    }
  }

  @Test func `of forty requests in a minute fifteen are sent, and the others show the waiting time`()
    async throws
  {
    let folder = try recording()
    try await withReplay(of: folder.url, timeout: .seconds(2), storeCalls: 15) { bench async throws in
      let pages = try await withThrowingTaskGroup(of: String.self) { tasks in
        for number in 1...40 {
          tasks.addTask { try await bench.get("/albums?artist=lamps+\(number)&country=us").text }
        }
        var pages: [String] = []
        for try await page in tasks { pages.append(page) }
        return pages
      }
      #expect(calls(bench, "/itunes/search") <= 15)
      let waits = pages.compactMap {
        $0.firstMatch(of: #/<strong>(\d+) seconds?<\/strong>/#).flatMap { Int($0.1) }
      }
      // On a slow machine some of the fifteen are still in progress.
      let inLine = pages.count { $0.contains("iTunes limits searches per minute") }
      #expect(inLine >= 25 && waits.count == inLine)
      #expect(waits.allSatisfy { (2...180).contains($0) })
    }
  }

  @Test func `the reader's country is used unless the address names another`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      #expect(try await bench.get("/albums/settings").text.contains(#"<option value="us" selected>"#))
      #expect(try await post(bench, "/albums/settings", "country=x").status == .badRequest)
      let saved = try await post(bench, "/albums/settings", "country=is")
      #expect(saved.status == .ok && saved.text.contains("Settings saved."))
      let cookie = String(try #require(saved.headers[.setCookie]).prefix { $0 != ";" })
      func get(_ path: String) async throws -> String {
        try await bench.client.executeRequest(uri: path, method: .get, headers: [.cookie: cookie], body: nil)
          .text
      }
      #expect(try await get("/albums").contains(#"<option value="is" selected>is</option>"#))
      #expect(try await get("/albums?country=gb").contains(#"<option value="gb" selected>"#))
    }
  }

  /// An album as devices get it.
  private struct Content: Decodable {
    struct Article: Decodable {
      struct Version: Decodable {
        var page: Int?
        var html: String
      }

      var language: String
      var versions: [Version]
    }

    var album, name, body: String
    var hasCover, isProvisional: Bool
    var artist: [String: String]?
    var tracks: [String]
    var article: Article
  }

  @Test func `a device gets an album's content, which says if Wikipedia is down`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      try fault(bench, "wikipedia", #""kind": "status", "status": 503"#)
      let answer = try await bench.get("/albums/70/content.json?country=us")
      let content = try JSONDecoder().decode(Content.self, from: Data(answer.text.utf8))
      #expect(content.name == "Wick" && content.hasCover && content.isProvisional)
      #expect(content.body.contains("First Light"))
      #expect(content.article.versions.map(\.page) == [nil])
      #expect(content.article.versions[0].html.contains("Wikipedia isn’t answering right now."))
      #expect(content.artist == ["id": "7", "name": "The Lamps"])
      #expect(content.tracks == ["First Light", "Third <Light>", "Other Side"])
      #expect(!content.body.contains("<html"))
      let whole = try await bench.get("/albums/75/content.json?country=us")
      #expect(
        try JSONDecoder().decode(Content.self, from: Data(whole.text.utf8)).isProvisional,
        "its article is late"
      )
      #expect(try await bench.get("/albums/999/content.json?country=us").status == .notFound)
    }
  }

  @Test func `a device gets what an album's page says for each choice of article`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      let answer = try await bench.get("/albums/75/content.json?country=us")
      let article = try JSONDecoder().decode(Content.self, from: Data(answer.text.utf8)).article
      #expect(article.language == "en")
      #expect(article.versions.prefix(2).map(\.page) == [nil, 0])
      #expect(Set(article.versions.dropFirst(2).map(\.page)) == [1, 3, 4])
      for version in article.versions {
        #expect(version.html.contains("<p lang=\"en\"") == [1, 3, 4].contains(version.page))
      }
    }
  }

  @Test(arguments: [
    ("/albums/999?country=us", 404), ("/albums/artists/999?country=us", 404), ("/albums/x", 404),
    ("/albums/70/other", 404), ("/albums?artist=%20", 200), ("/albums?artist=zzzz", 200),
    ("/albums/artists", 404),
    ("/albums/0", 404), ("/albums/99999999999999999999", 404),
  ])
  func `missing artists and albums have a page that says so`(path: String, status: Int) async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      let page = try await bench.get(path)
      #expect(page.status.code == status)
      #expect(page.text.contains("<h1>"))
    }
  }
}
