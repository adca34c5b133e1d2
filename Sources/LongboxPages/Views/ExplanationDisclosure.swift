// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// An explanation, collapsed because it spoils the joke.
struct ExplanationDisclosure {
  let comic: Comic.Number
  /// ``ShownExplanation/beginning``; empty if the host has none.
  let beginning: HTML

  var html: HTML {
    details(.class("explanation")) {
      summary { "Explanation" }
      div(.class("explanation-body")) {
        if beginning.bytes.isEmpty {
          a(.class("button whole"), .href(.explanation(comic))) { "The explanation" }
        } else {
          beginning
        }
      }
    }
  }
}
