// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

struct ExplanationPage: Equatable {
  let comic: Comic.Number
  let name: Text
  /// The explanation, or the reason why there is none.
  let text: HTML
}

extension ExplanationPage: Page {
  var title: Text { "#" + Text(decimal: comic.value) + " " + name + ": explanation" }
  var kind: Text { "explanation-page" }
  var tab: Tab? { .comics }
  var canonical: Link? { .explanation(comic) }
  var original: Link { .xkcd(comic) }

  var back: BackLink? { BackLink(link: .comic(comic), name: "Back to the comic") }

  var heading: HTML {
    span(.class("number")) { "#" + Text(decimal: comic.value) }
    " "
    nameHeading(name)
  }

  /// `explanation.js` moves the article into the disclosure on the comic's page.
  var content: HTML {
    article(.class("explanation-text"), .id("explanation")) {
      h2 { "Explanation" }
      text
    }
  }
}
