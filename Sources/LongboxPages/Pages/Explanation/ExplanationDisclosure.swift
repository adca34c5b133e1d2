// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The first sentences of an explanation, hidden until the reader asks: they spoil the joke.
struct ExplanationDisclosure: Equatable {
  let comic: Comic.Number
  let state: Shelf.ExplanationState?
  let isSample: Bool

  /// Where `app.js` puts the whole in place of the lead, it takes that from the page of ``Link/explanation(_:)``.
  var html: HTML {
    details(.class("explanation")) {
      summary { "Explanation" }
      div(.class("explanation-body")) {
        switch state {
        case .here(let explanation):
          if !explanation.lead.isEmpty { p(.class("lead")) { explanation.lead } }
          whole
          ExplanationCredit(comic: comic, explanation: explanation, isSample: isSample).html
        case .absent:
          p { "There is no explanation of this comic yet." }
          ExplanationCredit(comic: comic, explanation: nil, isSample: isSample).html
        case .elsewhere, .unavailable, nil:
          p { "It is not here yet." }
          whole
          ExplanationCredit(comic: comic, explanation: nil, isSample: isSample).html
        }
      }
    }
  }

  private var whole: HTML {
    a(.class("button whole"), .href(.explanation(comic))) { "The whole explanation" }
  }
}

/// How old an explanation is, whose it is, and where there is more.
struct ExplanationCredit: Equatable {
  let comic: Comic.Number
  let explanation: Shelf.Explanation?
  let isSample: Bool

  @HTMLBuilder var html: HTML {
    if let explanation, !isSample {
      p(.class("hint")) {
        if !explanation.asOf.isEmpty { "As of " + explanation.asOf + ", " }
        "by the readers of explain xkcd, "
        a(.href(.explainLicence), Attribute("rel", "license")) { "CC BY-SA 3.0" }
        explanation.isIncomplete ? ". They call it incomplete." : "."
      }
    }
    if !isSample { p { a(.href(.explainXkcd(comic))) { "Show more on explain xkcd" } } }
  }
}
