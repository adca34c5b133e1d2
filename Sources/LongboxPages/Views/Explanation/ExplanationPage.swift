// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The whole explanation of a comic.
struct ExplanationPage: Equatable {
  let comic: Comic.Number
  /// The title of the comic.
  let name: Text
  /// The explanation, or the sentence that says why there is none.
  let text: HTML
}

extension ExplanationPage: Page {
  var title: Text { "#" + Text(decimal: comic.value) + " " + name + ": explanation" }
  var kind: Text { "explanation-page" }
  var tab: Tab? { .comics }
  var canonical: Link? { .explanation(comic) }
  var original: Link { .xkcd(comic) }

  var heading: HTML {
    span(.class("number")) { "#" + Text(decimal: comic.value) }
    " "
    h1 { bdi { name } }
    div(.class("actions")) {
      a(.class("button"), .href(.comic(comic)), .label("Back to the comic")) { Icon.previous.html }
    }
  }

  /// `explanation.js` takes the article into the disclosure of the comic's page.
  var content: HTML {
    article(.class("explanation-text"), .id("explanation")) {
      h2 { "Explanation" }
      text
    }
  }
}
