// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import TestSupport
import Testing

/// Compares the words of a page with those that pandoc finds, an independent parser.
///
/// pandoc does not expand templates and returns nothing for one page in eighty. So the test expands the few
/// templates that hold words, and allows words that only Longbox finds.
@Suite(
  .enabled(if: RecordedData.isPresent, "needs the recorded data that LONGBOX_SHARED names"),
  .enabled(if: Pandoc.isPresent, "needs /usr/bin/pandoc, of Debian's package of that name")
)
struct PandocTests {
  @Test func `recorded pages have the same words`() async throws {
    var shares: [Double] = []
    // Every fortieth page: pandoc takes a tenth of a second for each.
    for (place, recorded) in try RecordedData.explainPages().enumerated() where place % 40 == 7 {
      let theirs = Self.words(try await Pandoc.plainText(of: Self.prepared(recorded.wikitext)))
      guard !theirs.isEmpty else { continue }
      let page = WikiPage(wikitext: Text(string: recorded.wikitext))
      let ours = Self.words("\(page.explanation.plainText) \(page.transcript)")
      let common = theirs.reduce(0) { $0 + min($1.value, ours[$1.key] ?? 0) }
      let share = Double(common) / Double(theirs.values.reduce(0, +))
      #expect(share > 0.9, "comic \(recorded.num)")
      shares.append(share)
    }
    #expect(shares.count > 60)
    let mean = shares.reduce(0, +) / Double(shares.count)
    #expect(mean > 0.995)
    print("Beside pandoc: \(shares.count) pages, share of its words that we read: mean \(mean)")
  }

  /// The page without what only pandoc shows, and with the words of templates.
  private static func prepared(_ wikitext: String) -> String {
    var text = wikitext.replacing(/<\/?noinclude>|\[\[[Cc]ategory:[^\]]*\]\]/, with: "")
    let links =
      /\{\{\s*(?:[Ww]|[Ww]ikipedia|[Ww]iktionary|[Tt]vtropes|[Rr]w|[Ww]hat [Ii]f|[Xx]kcd|[Ss]ort)\s*\|([^|{}]*)(?:\|([^{}|]*))?\}\}/
    let texts = /\{\{\s*(?:[Nn]owrap|[Qq]uote|[Ss]poiler|[Nn]otice|[Cc]ot|[Yy]es|[Nn]o)\s*\|([^{}]*)\}\}/
    for _ in 0..<4 {
      text = text.replacing(links) { String($0.2 ?? $0.1) }
      text = text.replacing(texts) { $0.1.replacing("|", with: "\n") }
    }
    return text
  }

  /// The count of each word, without section titles, addresses, and one-digit numbers (often note marks).
  private static func words(_ text: String) -> [String: Int] {
    var words: [String: Int] = [:]
    for match in text.replacing(/https?:\/\/\S+/, with: "").lowercased().matches(of: /\w+/) {
      let word = String(match.0)
      guard word.count > 1 || !(word.first?.isNumber ?? false) else { continue }
      guard !["explanation", "transcript", "discussion"].contains(word) else { continue }
      words[word, default: 0] += 1
    }
    return words
  }
}

/// Debian's pandoc.
private enum Pandoc {
  static let program = "/usr/bin/pandoc"

  static var isPresent: Bool { FileManager.default.isExecutableFile(atPath: program) }

  static func plainText(of wikitext: String) async throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "longbox-\(UUID().uuidString).wiki")
    try Data(wikitext.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await Program.run(program, "-f", "mediawiki", "-t", "plain", "--wrap=none", file.path).output
  }
}
