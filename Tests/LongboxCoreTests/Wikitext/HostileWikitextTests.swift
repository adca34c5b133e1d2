// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxCore

/// Wikitext that no editor would write.
///
/// `Tests/Growth` counts the work for the same openers.
@Suite(.timeLimit(.minutes(10))) struct `Hostile wikitext` {
  /// Checks that a page's elements are closed and within the depth limit, and that it decodes again.
  private func check(_ wikitext: [UInt8], _ comment: Comment) {
    let page = WikiPage(wikitext: Text(wikitext))
    #expect(throws: Never.self, comment) { try WikiDocument(page.explanation.bytes) }
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

  /// Invalid UTF-8 passes through; a real page is decoded from JSON and has none.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `can be invalid UTF-8`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<4000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let page = WikiPage(wikitext: Text(bytes))
    #expect(throws: Never.self, "seed \(seed)") { try WikiDocument(page.explanation.bytes) }
  }
}
