// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxCore

struct TopicTests {
  @Test(
    arguments: [
      ("Comics featuring Black Hat", Topic.Kind.character, "Black Hat", "black-hat"),
      ("Comics featuring D. B. Cooper", .character, "D. B. Cooper", "d-b-cooper"),
      ("Comics featuring children", .subject, "Children", "children"),
      ("comics_featuring  Megan ", .character, "Megan", "megan"), ("Math", .subject, "Math", "math"),
      ("Physics\u{200E}", .subject, "Physics", "physics"),
      ("&nbsp;Physics\u{200F}", .subject, "Physics", "physics"),
      ("\u{A0}Video\u{A0}games", .subject, "Video games", "video-games"),
      ("Comics with cursed items", .subject, "Cursed items", "cursed-items"),
      ("Beret Guy's Business", .subject, "Beret Guy's Business", "beret-guys-business"),
      ("Pokémon", .subject, "Pokémon", "pokemon"), ("9/11", .subject, "9/11", "9-11"),
      ("What If?", .subject, "What If?", "what-if"),
      ("Comics to frame", .subject, "Comics to frame", "comics-to-frame"),
    ] as [(String, Topic.Kind, String, String)]
  )
  func `have a name, a kind and a key`(category: String, kind: Topic.Kind, name: String, key: String) throws {
    let topic = try #require(Topic(category: category.utf8))
    #expect(topic.kind == kind)
    #expect(topic.name.description == name)
    #expect(topic.key.description == key)
  }

  @Test(
    arguments: [
      "", " ", "Comics sharing name", "Comics edited after their publication", "Posted on LiveJournal",
      "First day on xkcd.com", "Comics with xkcd store products", "Incomplete explanations",
      "Pages using a template",
      "Multiple title texts", "CC-BY-SA comics", "Comics from 2010", "All comics", "Comics featuring ", "???",
      "A\u{1}B", String(repeating: "x", count: 81),
    ]
  )
  func `aren't made of categories about the wiki or the publication`(category: String) {
    #expect(Topic(category: category.utf8) == nil)
  }

  @Test func `are read from a page's wikitext, each once, and not from comments, links and quoted text`() {
    let page = WikiPage(
      wikitext: """
        ==Explanation==
        Words. [[:Category:Linked]] <nowiki>[[Category:Quoted]]</nowiki> <!-- [[Category:Hidden]] -->
        {{comic discussion}}
        <noinclude>[[Category:Maps|*]]</noinclude>
        [[category: maps]] [[Category:Comics featuring Megan]]
        [[Category:Comics sharing name|Word]]
        """
    )
    #expect(page.topics.map(\.name) == ["Maps", "Megan"])
    #expect(!page.explanation.plainText.bytes.isEmpty)
  }

  @Test func `of a page are limited`() {
    let many = (0..<200).map { "[[Category:Topic \($0)]]" }.joined(separator: "\n")
    #expect(WikiPage(wikitext: Text(string: many)).topics.count == Topic.mostOfComic)
  }
}
