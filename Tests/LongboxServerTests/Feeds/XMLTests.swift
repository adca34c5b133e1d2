// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import LongboxServer

/// Texts that need escaping or other care.
let oddTexts = [
  "D&D in the Attic", "<Town>-Style Soup", "]]>", "&amp; stays", "a \"verb\" & it's 'noun'",
  "\u{202E}Backwards", "שלום, xkcd", "👩‍👩‍👧‍👦 & 📦", "line one\nline two\r\nline three\ttab", "  spaces  ", "",
  String(repeating: "é<&>", count: 375),
]

@Suite struct `An XML fragment` {
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
