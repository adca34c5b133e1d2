// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// What the page of favorites says if there are none.
enum EmptyFavorites {
  static var html: HTML {
    div(.class("message empty")) {
      Drawing.boxWithHeart.html
      h2 { "No favorites yet" }
      p { "Comics you favorite appear here. Tap the heart on any comic." }
      a(.class("button primary"), .href(.random)) {
        Icon.random.html
        "Random comic"
      }
      a(.class("button action"), .href(.latest)) { "Latest comic" }
    }
  }
}
