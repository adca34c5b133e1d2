// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import Testing

@testable import LongboxServer

@Suite("A feed document") struct FeedDocumentTests {
  private static let day = Date(timeIntervalSince1970: 1_196_812_800)

  private func entry(_ title: String = "#353 Python", picture: FeedEntry.Picture? = nil) -> FeedEntry {
    FeedEntry(
      number: Comic.Number(of: 353),
      id: "https://xkcd.com/353/",
      title: title,
      page: "http://box.example/353/",
      original: "https://xkcd.com/353/",
      published: Self.day,
      updated: Self.day + 60,
      summary: title,
      html: "<p>\(title.count) &amp; more</p>",
      picture: picture
    )
  }

  private func feed(_ entries: [FeedEntry], next: String? = nil) -> Feed {
    Feed(
      id: StableIdentifier.of("feed/comics"),
      title: "xkcd",
      updated: Self.day + 60,
      page: "http://box.example/",
      address: "http://box.example/feed.atom",
      next: next,
      icon: "http://box.example/assets/icon-180.png",
      author: Series.xkcd.author,
      rights: Series.xkcd.rights,
      entries: entries
    )
  }

  private func json(_ feed: Feed) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(try JSONFeedDocument(feed).bytes))
    return try #require(object as? [String: Any])
  }

  @Test(arguments: oddTexts)
  func `keeps any title, as Atom and as JSON`(title: String) throws {
    let feed = feed([entry(title)])
    let root = try SentXML(parsing: AtomDocument(feed: feed).bytes)
    let atom = try #require(root.elements("entry").first)
    #expect(atom.texts("title").first == title)
    #expect(atom.texts("content").first == "<p>\(title.count) &amp; more</p>")
    #expect(atom.texts("summary").first == (title.isEmpty ? nil : title))
    let item = try #require((try json(feed)["items"] as? [[String: Any]])?.first)
    #expect(item["title"] as? String == title)
    #expect(item["summary"] as? String == (title.isEmpty ? nil : title))
  }

  @Test func `names the author, the licence and the dates`() throws {
    let atom = String(decoding: AtomDocument(feed: feed([entry()])).bytes, as: UTF8.self)
    #expect(atom.contains("<name>Randall Munroe</name>"))
    #expect(atom.contains("<rights>xkcd by Randall Munroe, CC BY-NC 2.5</rights>"))
    #expect(atom.contains(#"<link rel="license" href="https://creativecommons.org/licenses/by-nc/2.5/"/>"#))
    #expect(
      atom.contains("<published>2007-12-05T00:00:00Z</published><updated>2007-12-05T00:01:00Z</updated>")
    )
    let item = try #require((try json(feed([entry()]))["items"] as? [[String: Any]])?.first)
    #expect(item["date_published"] as? String == "2007-12-05T00:00:00Z")
    #expect(item["date_modified"] as? String == "2007-12-05T00:01:00Z")
    #expect((item["_rights"] as? [String: String])?["rights"] == "xkcd by Randall Munroe, CC BY-NC 2.5")
  }

  @Test func `leaves out missing values`() throws {
    let feed = feed([entry()])
    #expect(!String(decoding: AtomDocument(feed: feed).bytes, as: UTF8.self).contains("rel=\"next\""))
    #expect(try json(feed)["next_url"] == nil)
    #expect((try json(feed)["items"] as? [[String: Any]])?.first?["image"] == nil)
    let more = self.feed(
      [entry(picture: .init(address: "http://box.example/p"))],
      next: "http://box.example/n"
    )
    #expect(String(decoding: AtomDocument(feed: more).bytes, as: UTF8.self).contains("rel=\"next\""))
    #expect(try json(more)["next_url"] as? String == "http://box.example/n")
    #expect(
      (try json(more)["items"] as? [[String: Any]])?.first?["image"] as? String == "http://box.example/p"
    )
  }

  @Test func `has stable and unique identifiers`() {
    let names = ["comics", "search/true/a", "search/false/a", "rerun/1/2026-11-21/1", ""]
    let made = names.map { StableIdentifier.of($0) }
    #expect(made == names.map { StableIdentifier.of($0) })
    #expect(Set(made).count == names.count)
    #expect(made[0] == "urn:uuid:530e80dd-9e0a-891c-bc59-5e972a2db5e3", "readers know feeds by it")
    #expect(
      made.allSatisfy {
        $0.wholeMatch(of: /urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
          != nil
      }
    )
  }
}

/// Texts that need escaping or other care.
let oddTexts = [
  "D&D in the Attic", "<Town>-Style Soup", "]]>", "&amp; stays", "a \"verb\" & it's 'noun'",
  "\u{202E}Backwards", "שלום, xkcd", "👩‍👩‍👧‍👦 & 📦", "line one\nline two\r\nline three\ttab", "  spaces  ", "",
  String(repeating: "é<&>", count: 375),
]

@Suite("An XML fragment") struct XMLTests {
  private func parsed(_ xml: XML) throws -> SentXML { try SentXML(parsing: xml.document) }

  @Test(arguments: oddTexts)
  func `keeps any text`(text: String) throws {
    let root = try parsed(XML("a", [("b", text)]) { XML("c", text: text) })
    #expect(root.attributes["b"] == text)
    #expect(root.texts("c").first == text)
  }

  @Test func `replaces characters that XML can't represent`() throws {
    let text = "a\u{0}b\u{1}c\u{8}d\u{B}e\u{1F}f\u{FFFE}g\u{FFFF}h\u{7F}i\u{10FFFF}"
    let root = try parsed(XML("a", [("b", text)], text: text))
    let kept = "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{FFFD}f\u{FFFD}g\u{FFFD}h\u{7F}i\u{10FFFF}"
    #expect(root.text == kept)
    #expect(root.attributes["b"] == kept)
  }

  @Test func `leaves out attributes without a value, and closes empty elements`() {
    let xml = XML("a", [("b", nil), ("c", "1")]) { XML("d") }
    #expect(String(decoding: xml.bytes, as: UTF8.self) == "<a c=\"1\"><d/></a>")
  }
}
