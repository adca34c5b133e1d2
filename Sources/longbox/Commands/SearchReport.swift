// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

struct SearchReport: Encodable {
  struct Hit: Encodable {
    var number: Int
    var title: String
    var date: String?
    /// The text that contains the words: title, alt, transcript or explanation.
    var field: String
    /// The text around the words, unless only the title has them.
    var snippet: String
    /// The text that the snippet is from.
    var snippetField: String
  }

  let total: Int
  let didYouMean: String?
  let hits: [Hit]
  private let showsMeant: Bool
  private let withoutQuotes: String?

  private enum CodingKeys: CodingKey {
    case total, didYouMean, hits
  }

  init(_ results: SearchResults, in archive: Archive) {
    total = results.total
    didYouMean = results.didYouMean?.description
    showsMeant = results.showsMeant
    withoutQuotes = results.withoutQuotes?.description
    hits = results.hits.compactMap { hit in
      archive.comic(hit.number).map { comic in
        Hit(
          number: hit.number.value,
          title: comic.title.description,
          date: comic.date?.iso8601.description,
          field: "\(hit.field)",
          snippet: "\(hit.isCutBefore ? "… " : "")\(hit.snippet)\(hit.isCutAfter ? " …" : "")",
          snippetField: "\(hit.snippetField)"
        )
      }
    }
  }

  /// A line for each comic and its snippet, and one with the total.
  var lines: [String] {
    var lines = hits.flatMap { hit in
      ["#\(hit.number) \(hit.title)\(hit.date.map { " (\($0))" } ?? "")"]
        + (hit.snippet.isEmpty
          ? []
          : [
            "    \(hit.snippetField): \(hit.snippet.split(whereSeparator: \.isNewline).joined(separator: " / "))"
          ])
    }
    if let didYouMean {
      lines.append(showsMeant ? "These are for: \(didYouMean)" : "Did you mean: \(didYouMean)")
    }
    switch total {
    case 0:
      lines.append("No comics.")
      if let withoutQuotes { lines.append("No comic has these words in this order; try: \(withoutQuotes)") }
    case 1: lines.append("1 comic.")
    case hits.count: lines.append("\(total) comics.")
    default: lines.append("\(total) comics, of which \(hits.count) are shown; --limit shows more.")
    }
    return lines
  }
}
