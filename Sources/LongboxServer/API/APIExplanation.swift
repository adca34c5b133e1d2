// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore
import LongboxPages

/// What explain xkcd says about a comic, as the API gives it.
struct APIExplanation: Encodable {
  var number: Int
  /// The first sentences that explain.
  var lead: String?
  /// The whole as plain text.
  var text: String
  /// The whole as the pages show it: elements without scripts, styles or handlers.
  var html: String
  /// The day of the wiki's page, where it is known.
  var date: String?
  /// Whether the wiki calls its page incomplete.
  var incomplete: Bool
  /// Whether the wiki has more than is kept here.
  var cut: Bool
  /// Where it comes from, and by what licence; the project's own samples have neither.
  var source: String?
  var licence: String?

  init(_ explanation: Explanation, of series: Series) {
    number = explanation.number.value
    lead = explanation.lead.isEmpty ? nil : explanation.lead.description
    text = explanation.document.plainText.description
    html = explanation.document.html.description
    date = explanation.date?.iso8601.description
    incomplete = explanation.isIncomplete
    cut = explanation.isCut
    source = series.explanationPage(of: explanation.number)
    licence = source.map { _ in "CC BY-SA 3.0" }
  }
}
