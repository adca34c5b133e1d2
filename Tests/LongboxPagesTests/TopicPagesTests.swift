// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import TestSupport
import Testing

@testable import LongboxPages

@Suite struct TopicPagesTests {
  private static func topics(_ categories: [StaticString]) -> [Topic] {
    categories.compactMap { Topic(category: $0.utf8Bytes) }
  }

  /// Comics 1 to 12 with a few topics; 3 to 5 are a series.
  private static func archive() throws -> Archive {
    try Fixtures.archive(
      upTo: 12,
      changing: [
        1: { $0.topics = topics(["Kites", "Comics featuring Ada Byte"]) },
        2: { $0.topics = topics(["Kites", "Comics featuring Ada Byte", "Comics featuring <Bo>"]) },
        3: { ($0.topics, $0.title) = (topics(["Odd Maps", "Kites"]), "Odd Map: The Shed") },
        4: { ($0.topics, $0.title) = (topics(["Odd Maps", "Comics featuring <Bo>"]), "Odd Map: The Pond") },
        5: { ($0.topics, $0.title) = (topics(["Odd Maps"]), "Odd Maps of Doors") },
      ]
    )
  }

  private static func text(_ address: Text) throws -> String {
    respond(to: Request(address: address), archive: try archive()).text
  }

  @Test func `list characters, series and other topics with their numbers of comics`() throws {
    let page = try Self.text("/topics")
    let names = [
      ">Characters<", "/topics/ada-byte", "/topics/bo", ">Series<", "/topics/odd-maps", ">Topics<",
      "/topics/kites",
    ]
    var rest = page[...]
    for name in names {
      let found = try #require(rest.firstRange(of: name), "\(name)")
      rest = rest[found.upperBound...]
    }
    #expect(page.contains("<bdi>&lt;Bo&gt;</bdi>"))
    #expect(page.contains(#"<span class="count">3<span class="aside"> comics</span>"#))
  }

  @Test func `say what to do without topics, and for an unknown one`() throws {
    let empty = respond(to: Request(path: "/topics"), archive: try Fixtures.archive(upTo: 3))
    #expect(empty.status == 200 && empty.text.contains("No topics yet."))
    let unknown = respond(to: Request(path: "/topics/No%20One"), archive: try Self.archive())
    #expect(unknown.status == 404)
    #expect(unknown.text.contains("No comic has the topic") && unknown.text.contains("<bdi>no-one</bdi>"))
    #expect(unknown.text.contains("/topics/kites"))
  }

  @Test func `show the comics of a topic, newest first`() throws {
    for address in ["/topics/kites", "/topics/Kites"] as [Text] {
      let page = try Self.text(address)
      let places = try [3, 2, 1].map { try #require(page.firstRange(of: "id=\"c\($0)\"")).lowerBound }
      #expect(places == places.sorted())
      #expect(!page.contains("id=\"c4\""))
      #expect(page.contains("3 comics"))
      #expect(!page.contains("Comics to show"), "a reader without a library has no read marks")
    }
  }

  @Test func `are lists to read through`() throws {
    #expect(try Self.text("/topics/kites").contains(#"href="/2/?in=topic-kites""#))
    let page = try Self.text("/2/?in=topic-kites")
    let strip = try #require(page.firstMatch(of: /<div class="list-strip"[^>]*><p>(.*?)<\/p>/))
    #expect(String(strip.1).replacing(/<[^>]*>/, with: "") == "Kites 2 of 3")
    #expect(page.contains(#"href="/3/?in=topic-kites" aria-label="Next comic""#))
    #expect(try Self.text("/2/?in=topic-none").contains("list-strip") == false)
  }

  @Test func `can leave out what was read`() throws {
    var library = Replica(device: 1)
    var host = TestHost(try Self.archive())
    func see(_ address: Text) -> String {
      var request = Request(address: address)
      request.isRemembered = true
      request.now = 1_800_000_000_000
      return host.respond(to: request, library: &library).text
    }
    var form = Request(method: .post, path: "/read/older")
    form.body = "comic=2&back=/"
    form.now = 1_800_000_000_000
    _ = host.respond(to: form, library: &library)
    let all = see("/topics/kites")
    #expect(all.contains("Comics to show") && all.contains("id=\"c1\"") && all.contains("id=\"c3\""))
    let unread = see("/topics/kites?unread=1")
    #expect(!unread.contains("id=\"c1\"") && unread.contains("id=\"c3\""))
    #expect(unread.contains("3 comics, 1 unread"))
    #expect(unread.contains(#"href="/3/?in=unread-topic-kites""#))
    let read = see("/3/?in=unread-topic-kites")
    #expect(
      read.contains("Unread: Kites") && !read.contains(#"href="/2/?in="#),
      "the pager leaves out what was read"
    )
    #expect(see("/topics/ada-byte?unread=1").contains("You have read all of these."))
  }

  @Test func `are linked in the details of a comic, characters first`() throws {
    let page = try Self.text("/1/")
    let ada = try #require(page.firstRange(of: #"href="/topics/ada-byte"><bdi>Ada Byte</bdi>"#))
    let kites = try #require(page.firstRange(of: #"href="/topics/kites"><bdi>Kites</bdi>"#))
    #expect(ada.lowerBound < kites.lowerBound)
    #expect(page.contains(#"<a href="/topics">All topics</a>"#))
    #expect(try !Self.text("/9/").contains("/topics"))
  }

  @Test func `are followed by comics like it`() throws {
    let page = try Self.text("/4/")
    let start = try #require(page.firstRange(of: "More like this"))
    let rest = page[start.upperBound...]
    let list = rest[..<(try #require(rest.firstRange(of: "</ul>")).lowerBound)]
    #expect(list.contains("Odd Map: The Shed"))
    #expect(!list.contains("href=\"/9/\""))
    #expect(try !Self.text("/9/").contains("More like this"))
  }

  @Test func `are conditions of a search`() throws {
    let page = try Self.text("/search?q=with%3A%22ada+byte%22+about%3Akites&deep=1")
    #expect(page.contains("2 comics"))
    #expect(try Self.text("/search?q=about%3Amap&deep=0").contains("3 comics"))
    let unknown = "No comic has the topic <strong>teapots</strong>"
    #expect(try Self.text("/search?q=about%3Ateapots&deep=1").contains(unknown))
    #expect(try !Self.text("/search?q=about%3Ateapots&deep=1&typing=1").contains("<strong>teapots"))
    #expect(!page.contains("No comic has the topic"))
  }
}
