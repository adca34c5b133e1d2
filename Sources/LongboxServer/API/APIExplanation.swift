// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore
import LongboxPages

/// An explanation from explain xkcd, as the API returns it.
struct APIExplanation: Encodable {
  var number: Int
  /// The first sentences of the explanation.
  var lead: String?
  /// The full explanation as plain text.
  var text: String
  /// The full explanation as the pages show it: HTML without scripts, styles or event handlers.
  var html: String
  /// The date of the wiki page, if known.
  var date: String?
  /// Whether the wiki marks its page as incomplete.
  var incomplete: Bool
  /// Whether the wiki's page is longer than what is stored.
  var cut: Bool
  /// The wiki page and its licence; nil for samples.
  var source: String?
  var licence: String?

  init(_ explanation: Explanation, of series: Series, below basePath: BasePath) {
    number = explanation.number.value
    lead = explanation.lead.isEmpty ? nil : explanation.lead.description
    text = explanation.document.plainText.description
    html = explanation.document.html.string(below: basePath.inPages)
    date = explanation.date?.iso8601.description
    incomplete = explanation.isIncomplete
    cut = explanation.isCut
    source = series.explanationPage(of: explanation.number)
    licence = source.map { _ in "CC BY-SA 3.0" }
  }
}
