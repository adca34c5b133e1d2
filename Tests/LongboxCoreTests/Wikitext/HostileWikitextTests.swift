// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxCore

/// Wikitext that no editor would write.
///
/// `Tests/Growth` counts the work for the same openers.
@Suite(.timeLimit(.minutes(10))) struct HostileWikitextTests {
  /// The greatest depth of a document's elements; nil if they aren't well nested.
  private func depth(of document: WikiDocument) -> Int? {
    var depth = 0
    var greatest = 0
    for part in document.parts {
      if case .open = part { depth += 1 }
      if case .close = part { depth -= 1 }
      if depth < 0 { return nil }
      greatest = max(greatest, depth)
    }
    return depth == 0 ? greatest : nil
  }

  /// Checks that a page's elements are closed, and not too deep for a recursive reader of its HTML.
  private func check(_ page: WikiPage, _ comment: Comment) {
    #expect(depth(of: page.explanation).map { $0 <= 128 } == true, comment)
  }

  private func check(_ wikitext: [UInt8], _ comment: Comment) {
    let page = WikiPage(wikitext: Text(wikitext))
    check(page, comment)
    #expect(page.lead.count <= WikiPage.Limits().lead, comment)
    #expect(page.transcript.count <= WikiPage.Limits().transcript, comment)
    #expect(String(validating: page.lead.bytes, as: UTF8.self) != nil, comment)
    #expect(String(validating: page.explanation.plainText.bytes, as: UTF8.self) != nil, comment)
  }

  @Test(arguments: WikitextOpeners.all)
  func `becomes a document, however often something is opened`(opener: String) {
    let piece = Array(opener.utf8)
    check((0..<(60_000 / piece.count)).flatMap { _ in piece }, "\(opener)")
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `becomes a document, whatever it is`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var text: [UInt8] = []
    while text.count < 3000 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: text.append(UInt8.random(in: 0...0x7F, using: &random))
      case 1: text += Array(" text\n".utf8)
      default: text += Array((try #require(WikitextOpeners.all.randomElement(using: &random))).utf8)
      }
    }
    check(text, "seed \(seed)")
  }

  /// A heading removes those before it that nothing has followed, and a section is removed if it is empty.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `becomes a document, whatever its headings are`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let titles = ["", "A", "Trivia", "A title that is longer than others", "''", "[[Category:A]]"]
    let others = ["", "Text.", "A<ref>Note.</ref>", "{|", "|a", "----", ":", "[[Category:A]]"]
    let lines = try (0..<Int.random(in: 1...30, using: &random)).map { _ in
      guard Int.random(in: 0..<3, using: &random) > 0 else {
        return try #require(others.randomElement(using: &random))
      }
      let mark = String(repeating: "=", count: Int.random(in: 1...4, using: &random))
      return mark + (try #require(titles.randomElement(using: &random))) + mark
    }
    let text = lines.joined(separator: "\n")
    check(Array(text.utf8), "seed \(seed): \(text)")
  }

  /// Invalid UTF-8 passes through; a real page is decoded from JSON and has none.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `can be invalid UTF-8`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<4000).map { _ in UInt8.random(in: 0...255, using: &random) }
    check(WikiPage(wikitext: Text(bytes)), "seed \(seed)")
  }

  /// A line is parsed as a whole.
  @Test(arguments: [
    "[[x]]", "[[1]]", "<b>a</b>", "<br>", "<ref name=a>b</ref>", "http://a.b/ ", "é", "a", "[[a|''b]]''",
  ])
  func `is cut at its limit within a line`(piece: String) {
    var limits = WikiPage.Limits()
    limits.explanation = 5000
    let page = WikiPage(wikitext: Text(string: String(repeating: piece, count: 10_000)), limits: limits)
    #expect(page.isExplanationCut)
    #expect((4000...5200).contains(page.explanation.bytes.count))
    #expect(String(validating: page.explanation.plainText.bytes, as: UTF8.self) != nil)
    check(page, "\(piece)")
  }
}
