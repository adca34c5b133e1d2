// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore
import LongboxPages

/// An explanation as the installed app stores it.
struct DeviceExplanation: Encodable {
  var comic: Int
  /// The text in the disclosure on the comic's page.
  var beginning: String
  /// The text that replaces it when the reader opens the whole explanation.
  var whole: String
  /// The plain text, for search snippets.
  var text: String
  var change: Int

  init(_ explanation: Explanation, isSample: Bool, below basePath: BasePath) {
    let shown = ShownExplanation(
      of: explanation.number,
      .here(.init(explanation)),
      isSample: isSample
    )
    comic = explanation.number.value
    beginning = shown.beginning.string(below: basePath.inPages)
    whole = shown.whole.string(below: basePath.inPages)
    text = explanation.document.plainText.description
    change = explanation.change
  }
}
