// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// An explanation, collapsed because it spoils the joke.
struct ExplanationDisclosure {
  let comic: Comic.Number
  /// ``ShownExplanation/beginning``; empty if the host has none.
  let beginning: HTML
  /// Whether it is one of the segments of a comic's details.
  var isPart = false

  var html: HTML {
    details(.class(isPart ? "part explanation" : "explanation")) {
      summary { "Explanation" }
      div(
        .class(isPart ? "part-body explanation-body" : "explanation-body"),
        isPart ? .id("part-explanation") : .none
      ) {
        if beginning.isEmpty {
          ExplanationText.whole(comic)
        } else {
          beginning
        }
      }
    }
  }
}
