// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The page after two devices were paired.
struct PairedPage: Equatable {
  /// The number of favorites in the shared library.
  let favorites: Int
}

extension PairedPage: Page {
  var title: Text { "Connected" }
  var kind: Text { "message-page" }
  var tab: Tab? { .settings }

  var content: HTML {
    div(.class("message empty")) {
      Drawing.boxWithHeart.html
      p(.role("status")) {
        "The two devices share one library now. It has " + counted(favorites: favorites) + "."
      }
      ul(.class("links")) {
        li { a(.href(.favorites)) { "Your favorites" } }
        li { a(.href(.resume)) { "Go on reading" } }
      }
    }
  }
}
