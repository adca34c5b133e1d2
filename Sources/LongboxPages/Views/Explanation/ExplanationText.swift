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

  /// The way to the whole text, from a comic's page.
  static func whole(_ comic: Comic.Number) -> HTML {
    a(.class("button whole"), .href(.explanation(comic))) { "The whole explanation" }
  }

  /// The way to the wiki's page.
  @HTMLBuilder static func elsewhere(_ comic: Comic.Number, isSample: Bool) -> HTML {
    if !isSample {
      p(.class("to-wiki")) {
        a(.href(.explainXkcd(comic)), .label("Show more on explain xkcd")) { "On explain xkcd" }
      }
    }
  }
}
