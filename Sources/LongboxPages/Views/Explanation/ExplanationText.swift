// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The text in place of a missing explanation.
enum ExplanationText {
  /// explain xkcd has none.
  @HTMLBuilder static func absent(_ comic: Comic.Number, isSample: Bool) -> HTML {
    p { "There is no explanation of this comic yet." }
    elsewhere(comic, isSample: isSample)
  }

  @HTMLBuilder static func unavailable(_ comic: Comic.Number, isSample: Bool) -> HTML {
    p { "explain xkcd isn’t answering right now. Try again a little later." }
    elsewhere(comic, isSample: isSample)
  }

  /// A static copy was made without it.
  @HTMLBuilder static func notInCopy(_ comic: Comic.Number, isSample: Bool) -> HTML {
    p { "This copy doesn’t have the explanation." }
    elsewhere(comic, isSample: isSample)
  }

  @HTMLBuilder static func more(_ comic: Comic.Number, isSample: Bool) -> HTML {
    if !isSample { p { a(.href(.explainXkcd(comic))) { "Show more on explain xkcd" } } }
  }

  /// A link to explain xkcd, if there is no text here.
  @HTMLBuilder private static func elsewhere(_ comic: Comic.Number, isSample: Bool) -> HTML {
    if !isSample { p { a(.href(.explainXkcd(comic))) { "Look on explain xkcd" } } }
  }
}
