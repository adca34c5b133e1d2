// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCatalog
import LongboxCore
import NIOCore
import Testing
import TestSupport

@testable import LongboxServer

@Suite("A feed of comics", .timeLimit(.minutes(10))) struct ComicsFeedTests {
  @Test func `has the newest first, with all texts and the picture`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    let alt = String(repeating: "Long & <odd> \\u202e\\u05e9\\u05dc ", count: 90)
    xkcd.set(
      HandmadeRecord.raw(5, title: "D&D", alt: alt, transcript: "[[A <loaf>.]]\\nMan: Hi & bye."),
      for: 5
    )
    try await withServer(xkcd) { bench async throws in
      let feed = try await bench.feed("/feed.json")
      #expect(feed.version == "https://jsonfeed.org/version/1.1")
      #expect(feed.numbers == [6, 5, 4, 3, 2, 1])
      #expect(feed.feed_url == "http://localhost/feed.json" && feed.home_page_url == "http://localhost/")
      #expect(feed.next_url == nil)
      let item = feed.items[1]
      #expect(item.id == "https://xkcd.com/5/" && item.external_url == "https://xkcd.com/5/")
      #expect(item.title == "#5 D&D")
      #expect((item.summary?.count ?? 0) > 1_400)
      let picture = try #require(item.image)
      #expect(picture.hasPrefix("http://localhost/comics/5/image?v="))
      #expect(
        item.content_html.contains(#"<img src="\#(picture)" alt="Comic 5: D&amp;D" width="8" height="4">"#)
      )
      #expect(item.content_html.contains("<p><bdi>Long &amp; &lt;odd&gt;"), "the alt text stands in the text")
      #expect(item.content_html.contains("A &lt;loaf&gt;."))
      #expect(item.content_html.contains("Hi &amp; bye."))
      #expect(item.content_html.contains("by Randall Munroe"))
      #expect(item.content_html.contains("https://creativecommons.org/licenses/by-nc/2.5/"))
    }
  }

  @Test func `has titles that are whole as text and as HTML`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    xkcd.set(HandmadeRecord.raw(5, title: "<Town>-Style Soup & AT&T"), for: 5)
    try await withServer(xkcd) { bench async throws in
      let title = "#5 ‹Town›-Style Soup & AT&T"
      #expect(try await bench.feed("/feed.json").items[1].title == title)
      for path in ["/feed.atom", "/opds/latest"] {
        let entries = try await SentXML(parsing: bench.get(path).bytes).elements("entry")
        #expect(entries.flatMap { $0.texts("title") }.contains(title), "\(path)")
      }
      for path in ["/feed.atom?q=%3Ci%3Esoup", "/opds/search?q=%3Ci%3Esoup"] {
        let feed = try await SentXML(parsing: bench.get(path).bytes)
        #expect(feed.texts("title") == ["xkcd: ‹i›soup"], "\(path)")
      }
    }
  }

  @Test(arguments: [
    ("", ""), ("D&D", "D&D"), ("2 > 1", "2 > 1"), ("A -> B", "A -> B"), ("Q & A; R&D", "Q & A; R&D"),
    ("&;", "&;"),
    ("<b", "‹b"), ("<a> -> b", "‹a› -› b"), ("&lt;b>", "&\u{2060}lt;b>"),
    ("&#65; &amp", "&\u{2060}#65; &amp"),
    ("<\u{338}i>", "‹\u{338}i›"), ("שלום <3", "שלום ‹3"),
  ])
  func `has no markup in a title, and keeps everything else`(title: String, sent: String) {
    #expect(Array(title.withoutMarkup.unicodeScalars) == Array(sent.unicodeScalars))
  }

  @Test func `has the same entries as Atom`() async throws {
    try await withServer { bench async throws in
      let json = try await bench.feed("/feed.json")
      let atom = try await bench.xml("/feed.atom", as: "application/atom+xml")
      #expect(atom.links("self") == ["http://localhost/feed.atom"])
      let entries = atom.elements("entry")
      #expect(entries.flatMap { $0.texts("id") } == json.items.map(\.id))
      #expect(entries.flatMap { $0.texts("title") } == json.items.map(\.title))
      #expect(entries.flatMap { $0.texts("content") } == json.items.map(\.content_html))
      #expect(entries.flatMap { $0.texts("published") } == json.items.map(\.date_published))
      #expect(entries.flatMap { $0.texts("updated") } == json.items.map(\.date_modified))
      #expect(atom.texts("updated") == [json.items.map(\.date_modified).max()])
    }
  }

  @Test func `is paginated down to the first comic`() async throws {
    try await withServer(FakeXkcd(latest: 50), storing: 1...50) { bench async throws in
      var (numbers, sizes): ([Int], [Int]) = ([], [])
      var next: String? = "/feed.json"
      while let address = next {
        let feed = try await bench.feed(address.replacing("http://localhost", with: ""))
        numbers += feed.numbers
        sizes.append(feed.numbers.count)
        next = feed.next_url
      }
      #expect(numbers == Array((1...50).reversed()))
      #expect(sizes == [20, 20, 10])
    }
  }

  @Test func `includes a comic without a picture, with a note`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    xkcd.set(HandmadeRecord.raw(6, image: ""), for: 6)
    try await withServer(xkcd) { bench async throws in
      let item = try #require(try await bench.feed("/feed.json").items.first)
      #expect(item.image == nil)
      #expect(item.content_html.contains("only works on xkcd.com"))
    }
  }

  @Test func `includes a new comic at once`() async throws {
    try await withServer { bench async throws in
      #expect(try await bench.feed("/feed.json").numbers.first == 6)
      bench.xkcd.publish(upTo: 8)
      await bench.back.catalog.lookForNewest()
      let feed = try await bench.feed("/feed.json")
      #expect(feed.numbers.starts(with: [8, 7, 6]))
      #expect(feed.items[0].content_html.contains("<img src="), "its picture is fetched first")
    }
  }

  @Test func `has the date when a comic was changed, and only then`() async throws {
    let time = SettableTime()
    try await withServer(time: time) { bench async throws in
      let before = try await bench.feed("/feed.json").items[0]
      #expect(before.date_modified == before.date_published)
      time.advance(by: 3600)
      bench.xkcd.set(HandmadeRecord.raw(6, date: SettableTime.start, alt: "It fell."), for: 6)
      try await bench.back.catalog.reload(Comic.Number(of: 6))
      try await bench.back.catalog.reload(Comic.Number(of: 5))
      let items = try await bench.feed("/feed.json").items
      #expect(items[0].content_html.contains("It fell."))
      #expect(items[0].date_published == before.date_published)
      #expect(items[0].date_modified == time.now.inFeed)
      #expect(items[1].date_modified == items[1].date_published)
    }
  }

  @Test(arguments: ["/feed.atom", "/feed.json", "/feeds/rerun/1/2027-01-01.atom", "/opds", "/opds/latest"])
  func `is not sent again if the tag or the date is current`(path: String) async throws {
    let time = SettableTime()
    try await withServer(time: time) { bench async throws in
      let answer = try await bench.get(path, [.acceptEncoding: "gzip"])
      #expect(answer.headers[.contentEncoding] == "gzip")
      let (tag, date) = (try #require(answer.headers[.eTag]), try #require(answer.headers[.lastModified]))
      #expect(date == time.now.inHeader)
      time.advance(by: 60)
      for headers: HTTPFields in [
        [.ifNoneMatch: tag, .acceptEncoding: "gzip"], [.ifModifiedSince: date],
        [.ifNoneMatch: tag, .ifModifiedSince: "Thu, 01 Jan 2026 00:00:00 GMT", .acceptEncoding: "gzip"],
      ] {
        let again = try await bench.get(path, headers)
        #expect(again.status == .notModified && again.body.readableBytes == 0)
      }
      #expect(try await bench.get(path, [.ifNoneMatch: "\"x\"", .ifModifiedSince: date]).status == .ok)
      #expect(try await bench.send(.head, path).status == .ok)
      #expect(try await bench.send(.post, path).status == .methodNotAllowed)
      bench.xkcd.publish(upTo: 7)
      await bench.back.catalog.lookForNewest()
      _ = try await bench.get(path)
      // The new comic changes neither a re-run that has not reached it, nor the catalogue's root.
      guard !path.contains("rerun"), path != "/opds" else { return }
      #expect(try await bench.get(path, [.ifNoneMatch: tag, .acceptEncoding: "gzip"]).status == .ok)
      #expect(try await bench.get(path, [.ifModifiedSince: date]).status == .ok)
    }
  }

  @Test func `has addresses with the host of the request`() async throws {
    try await withServer { bench async throws in
      _ = try await bench.get("/feed.atom")
      let answer = try await bench.get("/feed.atom", [.named("X-Forwarded-Proto"): "https"])
      #expect(answer.text.contains("https://localhost/6/"))
      #expect(!answer.text.contains("http://localhost"))
    }
  }

  @Test(arguments: [
    ("/feed.json?x=1", 400, "x"),
    ("/feed.atom?q=a&q=b", 400, "q"), ("/feed.atom?before=404", 400, "before"),
    ("/feed.atom?before=x", 400, "before"), ("/feed.atom?q=a&deep=maybe", 400, "deep"),
    ("/feed.atom?q=\(String(repeating: "a", count: 201))", 400, "q"),
    ("/feeds/rerun/7/2027-01-01.atom", 404, "from"), ("/feeds/rerun/1/2027-13-01.atom", 404, "start"),
    ("/feeds/rerun/1/2027-01-01.atom?per-day=21", 400, "per-day"),
    ("/feeds/rerun/1/2027-01-01.atom?page=1", 400, "page"), ("/feeds/nothing", 404, nil),
    ("/feeds/AAAAAAAAAAAAAAAAAAAAAA.atom", 404, nil), ("/feeds/short.json", 404, nil),
    ("/opds/none", 404, nil), ("/opds/latest?page=2", 404, "page"), ("/opds/latest?page=0", 400, "page"),
    ("/opds/years/1999", 404, "year"), ("/opds/years/x", 400, "year"), ("/opds/search", 400, "q"),
    ("/opds?x=1", 400, "x"), ("/7/comic.cbz", 404, "number"), ("/0x/comic.cbz", 404, "number"),
  ])
  func `names the wrong parameter of a request`(path: String, status: Int, parameter: String?) async throws {
    try await withServer { bench async throws in
      let problem = try await bench.problem(path)
      #expect(problem.status == status)
      #expect(problem.parameter == parameter)
    }
  }

  @Test func `is unavailable until there is a comic`() async throws {
    let xkcd = FakeXkcd(latest: 1)
    xkcd.setEverywhere(.status(500))
    try await withServer(xkcd, storing: nil) { bench async throws in
      for path in ["/feed.atom", "/feeds/rerun/1/2027-01-01.json", "/opds"] {
        #expect(try await bench.problem(path).status == 503)
      }
    }
  }
}

@Suite("A feed of a search", .timeLimit(.minutes(10))) struct SearchFeedTests {
  @Test func `has the results, newest first, and is linked on the page`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    for number in [2, 5] { xkcd.set(HandmadeRecord.raw(number, title: "Pigeon & \(number)"), for: number) }
    try await withServer(xkcd) { bench async throws in
      let feed = try await bench.feed("/feed.json?q=pigeon+%26&deep=0")
      #expect(feed.numbers == [5, 2])
      #expect(feed.title == "xkcd: pigeon &")
      #expect(feed.feed_url == "http://localhost/feed.json?q=pigeon+%26&deep=0")
      #expect(try await bench.feed("/feed.json?q=pigeon&before=5").numbers == [2])
      let page = try await bench.get("/search?q=pigeon+%26").text
      #expect(page.contains(#"<a href="/feed.atom?q=pigeon+%26&amp;deep=0">Feed of this search</a>"#))
      #expect(page.contains(#"title="This search" href="/feed.atom?q=pigeon+%26&amp;deep=0">"#))
      #expect(!(try await bench.get("/search").text.contains("Feed of this search")))
    }
  }

  @Test func `is paginated`() async throws {
    try await withServer(FakeXkcd(latest: 25), storing: 1...25) { bench async throws in
      let feed = try await bench.feed("/feed.json?q=bread")
      #expect(feed.numbers == Array((6...25).reversed()))
      let next = try #require(feed.next_url).replacing("http://localhost", with: "")
      #expect(try await bench.feed(next).numbers == [5, 4, 3, 2, 1])
      #expect(try await bench.feed("/feed.json?q=nothingofthekind").numbers == [])
      #expect(try await bench.feed("/feed.json?q=").numbers == [], "any text is a question")
    }
  }
}

@Suite("A feed of a re-run", .timeLimit(.minutes(10))) struct RerunFeedTests {
  @Test func `publishes a comic each day, with its own identifiers`() async throws {
    let time = SettableTime()
    try await withServer(time: time) { bench async throws in
      let path = "/feeds/rerun/2/2027-01-14.json"
      let feed = try await bench.feed(path)
      #expect(feed.numbers == [3, 2])
      #expect(feed.title == "xkcd from #2, one a day")
      #expect(feed.items.map(\.date_published) == ["2027-01-15T00:00:00Z", "2027-01-14T00:00:00Z"])
      #expect(feed.items[0].id.hasPrefix("urn:uuid:"))
      time.advance(by: 86_400)
      let later = try await bench.feed(path)
      #expect(later.numbers == [4, 3, 2])
      #expect(later.items.dropFirst().map(\.id) == feed.items.map(\.id))
      #expect(try await bench.feed("/feeds/rerun/3/2027-01-14.json").items.last?.id != feed.items[0].id)
      #expect(try await bench.feed("/feeds/rerun/2/2027-01-16.json?per-day=2").numbers == [3, 2])
      #expect(try await bench.feed("/feeds/rerun/2/2027-02-01.json").numbers == [])
    }
  }
}

@Suite("A feed of favorites", .timeLimit(.minutes(10))) struct FavoritesFeedTests {
  private func address(_ page: String, _ ending: String) throws -> String {
    let found = try Regex(#"href="http://localhost(/feeds/[\w-]{22}\."# + ending + ")\"")
    return String(try #require(page.firstMatch(of: found)?.output[1].substring))
  }

  @Test func `has an address that the reader can create and revoke`() async throws {
    let time = SettableTime()
    try await withServer(time: time) { bench async throws in
      var reader = Browser(bench: bench)
      _ = try await reader.send("/favorites/set", "comic=2&on=yes")
      _ = try await reader.send("/favorites/set", "comic=5&on=yes")
      _ = try await reader.send("/favorites/note", "comic=5&note=secret")
      #expect(!(try await reader.get("/feeds").text.contains("/feeds/favorites.")))
      let made = try await reader.send("/feeds/favorites", "action=make")
      #expect(made.status == .seeOther && made.headers[.location] == "/feeds#favorites")
      let path = try address(try await reader.get("/feeds").text, "json")
      let key = try #require(reader.cookie).dropFirst("library=".count)
      #expect(!path.contains(key.prefix(8)))

      let feed = try await bench.feed(path)
      #expect(Set(feed.numbers) == [2, 5])
      #expect(feed.items.allSatisfy { !$0.content_html.contains("secret") })
      #expect(feed.items[0].date_modified == time.now.inFeed, "it is new to the feed's readers")
      let answer = try await bench.get(path)
      #expect(answer.headers[.cacheControl] == "private, no-cache")
      let tag = try #require(answer.headers[.eTag])
      #expect(try await bench.get(path, [.ifNoneMatch: tag]).status == .notModified)
      let date = try #require(answer.headers[.lastModified])
      time.advance(by: 60)
      _ = try await reader.send("/favorites/set", "comic=5&on=no")
      #expect(try await bench.get(path, [.ifNoneMatch: tag]).status == .ok)
      #expect(
        try await bench.get(path, [.ifModifiedSince: date]).status == .ok,
        "what has left it is seen, too"
      )
      #expect(try await bench.feed(path).numbers == [2])

      _ = try await reader.send("/feeds/favorites", "action=make")
      #expect(try await bench.get(path).status == .notFound)
      let renewed = try address(try await reader.get("/feeds").text, "json")
      #expect(renewed != path)
      #expect(try await bench.feed(renewed).numbers == [2])
      _ = try await reader.send("/feeds/favorites", "action=revoke")
      #expect(try await bench.get(renewed).status == .notFound)
      #expect(!(try await reader.get("/feeds").text.contains("Make a new address")))
    }
  }

  @Test func `is created only by our own form, and shown only to its reader`() async throws {
    try await withServer { bench async throws in
      var reader = Browser(bench: bench)
      let evil: HTTPFields = [.origin: "http://evil.example"]
      #expect(try await reader.send("/feeds/favorites", "action=make", evil).status == .forbidden)
      #expect(try await reader.send("/feeds/favorites", "action=steal").status == .badRequest)
      #expect(try await reader.get("/feeds/favorites").status == .seeOther)
      _ = try await reader.send("/feeds/favorites", "action=make")
      #expect(reader.cookie != nil, "a reader without a library gets one")
      let path = try address(try await reader.get("/feeds").text, "atom")
      let stranger = Browser(bench: bench)
      #expect(!(try await stranger.get("/feeds").text.contains(path)))
      #expect(try await reader.get("/feeds").headers[.cacheControl] == "private, no-store")
    }
  }

  @Test func `follows a library that was paired with another`() async throws {
    try await withServer { bench async throws in
      var one = Browser(bench: bench)
      var other = Browser(bench: bench)
      _ = try await one.send("/favorites/set", "comic=1&on=yes")
      _ = try await one.send("/feeds/favorites", "action=make")
      let path = try address(try await one.get("/feeds").text, "json")
      _ = try await other.send("/favorites/set", "comic=2&on=yes")
      let link = try await other.send("/settings/move", "").text
      let code = try #require(link.firstMatch(of: /\/join\?code=([\w-]+)/)).1
      _ = try await one.send("/join", "code=\(code)")
      #expect(Set(try await bench.feed(path).numbers) == [1, 2])
      #expect(try await other.get("/feeds").text.contains(path))
    }
  }
}

@Suite("The page about feeds", .timeLimit(.minutes(10))) struct FeedsPageTests {
  @Test func `shows the addresses of the feeds that a reader chose`() async throws {
    try await withServer { bench async throws in
      let page = try await bench.get("/feeds")
      #expect(page.status == .ok)
      #expect(page.text.contains(#"href="http://localhost/feed.atom""#))
      #expect(page.text.contains(#"href="http://localhost/opds""#))
      #expect(page.text.contains(#"value="2027-01-15""#), "a re-run may begin today")
      let search = try await bench.get("/feeds?q=tea+%26+cake").text
      #expect(search.contains(#"href="http://localhost/feed.json?q=tea+%26+cake""#))
      let rerun = try await bench.get("/feeds?from=2&start=2027-01-20&per-day=3").text
      #expect(rerun.contains(#"href="http://localhost/feeds/rerun/2/2027-01-20.atom?per-day=3""#))
      for path in ["/settings", "/about"] {
        #expect(try await bench.get(path).text.contains(#"href="/feeds""#))
      }
      for path in ["/", "/3/", "/about", "/feeds"] {
        let link =
          #"<link rel="alternate" type="application/atom+xml" title="xkcd" href="/feed.atom">"#
          + #"<link rel="alternate" type="application/feed+json" title="xkcd" href="/feed.json">"#
        #expect(try await bench.get(path).text.contains(link))
      }
    }
  }

  @Test(arguments: [
    "from=404&start=2027-01-20", "from=9&start=2027-01-20", "from=&start=2027-01-20", "from=1&start=",
    "from=1&start=2027-02-30", "from=1&start=2027-01-20&per-day=0", "from=1&start=2027-01-20&per-day=x",
    "q=\(String(repeating: "a", count: 201))",
  ])
  func `explains what is wrong with the input`(query: String) async throws {
    try await withServer { bench async throws in
      let page = try await bench.get("/feeds?\(query)")
      #expect(page.status == .badRequest)
      #expect(page.text.contains(#"role="alert""#))
      #expect(page.text.contains(#"aria-invalid="true""#))
    }
  }
}
