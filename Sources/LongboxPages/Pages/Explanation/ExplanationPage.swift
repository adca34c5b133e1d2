// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The whole explanation of a comic.
struct ExplanationPage: Equatable {
  let comic: Comic.Number
  let name: Text
  let state: Shelf.ExplanationState?
  let isSample: Bool
  let isOffline: Bool
}

extension ExplanationPage: Page {
  var title: Text { "#" + Text(decimal: comic.value) + " " + name + ": explanation" }
  var kind: Text { "explanation-page" }
  var tab: Tab? { .comics }
  var canonical: Link? { .explanation(comic) }
  var original: Link { .xkcd(comic) }

  var heading: HTML {
    a(.class("button"), .href(.comic(comic)), .label("Comic " + Text(decimal: comic.value))) {
      Icon.previous.html
    }
    span(.class("number")) { "#" + Text(decimal: comic.value) }
    " "
    h1 { bdi { name } }
  }

  var content: HTML {
    article(.class("explanation-text"), .id("explanation"), Attribute("tabindex", "-1")) {
      h2 { "Explanation" }
      switch state {
      case .here(let explanation):
        explanation.html
        if explanation.isCut { p(.class("note")) { "There is more of it than is kept here." } }
        ExplanationCredit(comic: comic, explanation: explanation, isSample: isSample).html
      case .absent:
        p { "There is no explanation of this comic yet." }
        ExplanationCredit(comic: comic, explanation: nil, isSample: isSample).html
      case .elsewhere, .unavailable, nil:
        if isOffline {
          p { "This explanation is not on this device yet." }
        } else {
          p { "explain xkcd does not answer now. Try again a little later." }
        }
        ExplanationCredit(comic: comic, explanation: nil, isSample: isSample).html
      }
    }
  }
}
