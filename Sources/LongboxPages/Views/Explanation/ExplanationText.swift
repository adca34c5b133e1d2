// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// What stands in the place of an explanation that is not there.
enum ExplanationText {
  /// explain xkcd has none.
  @HTMLBuilder static func absent(_ comic: Comic.Number, isSample: Bool) -> HTML {
    p { "There is no explanation of this comic yet." }
    more(comic, isSample: isSample)
  }

  /// It can't be had now.
  @HTMLBuilder static func unavailable(_ comic: Comic.Number, isSample: Bool) -> HTML {
    p { "explain xkcd does not answer now. Try again a little later." }
    more(comic, isSample: isSample)
  }

  /// The way to explain xkcd.
  @HTMLBuilder static func more(_ comic: Comic.Number, isSample: Bool) -> HTML {
    if !isSample { p { a(.href(.explainXkcd(comic))) { "Show more on explain xkcd" } } }
  }
}
