// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// An explanation, hidden until the reader asks: it spoils the joke.
struct ExplanationDisclosure {
  let comic: Comic.Number
  /// What ``ShownExplanation/beginning`` is, or empty where the host has nothing at hand.
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
