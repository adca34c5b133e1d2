// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore

extension Importer {
  private struct Page: Decodable {
    var num: Int
    var wikitext: String
  }

  /// How many pages one transaction stores.
  private static var batch: Int { 50 }

  /// Imports missing explanations; the file has no dates or revisions, so the wiki is asked again later.
  func importExplanations(
    in lines: [Data],
    of name: String,
    _ report: inout ImportReport,
    _ progress: (_ done: Int) -> Void
  ) async throws {
    let decoder = JSONDecoder()
    var pending: [FetchedExplanation] = []
    var seen: Set<Comic.Number> = []
    for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 })
    {
      progress(index)
      func skip(_ comic: Int?, _ reason: String) {
        report.skipped.append(.init(file: name, line: index + 1, comic: comic, reason: reason))
      }
      guard let page = try? decoder.decode(Page.self, from: line) else {
        skip(nil, "The page can't be used: it isn't a JSON object with \"num\" and \"wikitext\".")
        continue
      }
      guard let number = Comic.Number(page.num) else {
        skip(page.num, "No comic has this number.")
        continue
      }
      guard page.wikitext.utf8.count <= ExplanationText.sizeLimit else {
        skip(page.num, "The page is too long.")
        continue
      }
      guard seen.insert(number).inserted else {
        skip(page.num, "An earlier line has the page of this comic. Longbox uses the first one.")
        continue
      }
      guard try await store.explanations.explanation(of: number)?.text == nil else {
        report.explanations.unchanged += 1
        continue
      }
      report.explanations.new += 1
      pending.append(explanation(of: number, page.wikitext))
      if pending.count >= Self.batch {
        try await store.explanations.save(pending)
        pending = []
      }
    }
    try await store.explanations.save(pending)
  }

  private func explanation(of number: Comic.Number, _ wikitext: String) -> FetchedExplanation {
    let text = ExplanationText(pageRevision: 0, timestamp: "", wikitext: Array(wikitext.utf8))
    let isIncomplete = WikiPage(wikitext: Text(text.wikitext)).isIncomplete
    let pause = ExplanationSchedule.pause(after: .page, isIncomplete: isIncomplete, isNew: false)
    return FetchedExplanation(
      number: number,
      outcome: .page(text),
      fetchedAt: now(),
      lookAgain: now().addingTimeInterval(pause)
    )
  }
}
