// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import TestSupport
import Testing

@Suite(.enabled(if: RecordedData.isPresent, "needs the recorded data that LONGBOX_SHARED names"))
struct RecordedWikitextTests {
  /// Wikitext marks that a reader must never see.
  private static let marks = ["{{", "}}", "[[", "]]", "''", "{|", "|}"]

  /// Comics whose pages show such marks, as the wiki does: on purpose, since the text is about markup or code or has
  /// nested brackets, or by a mistake of the editors.
  private static let meant: [Int: Set<String>] = [
    184: ["[[", "]]"],  // a matrix
    285: ["{{", "}}"],  // the names of templates, by {{tl}}
    609: ["}}"],  // a mistake
    1488: ["]]"],  // a quoted transcript
    1638: ["[[", "]]"],  // a regular expression
    1885: ["]]"],  // a mistake
    2319: ["}}"],  // nested sets
    2622: ["{{"],  // a mistake
    2765: ["}}"],  // code
    55: ["[["],  // <pre>, text in another keyboard's letters
    327: ["''"],  // <nowiki>, SQL
    1037: ["[[", "]]"],  // <nowiki>, a transcript's own notation
    1692: ["]]"],  // "[-o [<output file>]]"
    2109: ["''"],  // <nowiki>, how the wiki writes bold text
  ]

  /// One pass for all checks, because reading the pages takes most of the time.
  @Test func `show no markup, lead with a sentence, and have a transcript`() throws {
    var leads: [Int] = []
    var bytes = 0
    var wikitext = 0
    for recorded in try RecordedData.explainPages() {
      let page = WikiPage(wikitext: Text(string: recorded.wikitext))
      let comment: Comment = "comic \(recorded.num)"
      checkMarkup(page, of: recorded.num, comment)
      #expect(!page.lead.isEmpty && !page.lead.bytes.contains(0x0A), comment)
      if recorded.num > ComicRules.lastOwnTranscript { checkTranscript(page, comment) }
      #expect(!page.isExplanationCut, comment)
      leads.append(page.lead.count)
      bytes += page.explanation.bytes.count
      wikitext += recorded.wikitext.utf8.count
    }
    leads.sort()
    #expect((200...350).contains(leads[leads.count / 2]))
    #expect(bytes < wikitext)
  }

  private func checkMarkup(_ page: WikiPage, of number: Int, _ comment: Comment) {
    let plain = page.explanation.plainText.description
    let lead = page.lead.description
    for mark in Self.marks where !(Self.meant[number] ?? []).contains(mark) {
      #expect(!plain.contains(mark), comment)
      #expect(!lead.contains(mark), comment)
    }
  }

  private func checkTranscript(_ page: WikiPage, _ comment: Comment) {
    #expect(!page.transcript.isEmpty && page.transcript.count < WikiPage.Limits().transcript, comment)
    for line in page.transcript.description.split(separator: "\n") {
      let isScene = line.hasPrefix("[[") && line.hasSuffix("]]")
      let words = isScene ? line.dropFirst(2).dropLast(2) : line
      #expect(!words.contains("[[") && !words.contains("{{"), comment)
      // A sentence with the address of the rest stays.
      if isScene, !words.contains("https://") {
        #expect(words.firstMatch(of: /\btranscripts?\b/.ignoresCase()) == nil, comment)
      }
    }
  }
}
