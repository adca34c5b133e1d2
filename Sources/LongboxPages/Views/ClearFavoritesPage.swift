// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

struct ClearFavoritesPage: Equatable {
  let count: Int
}

extension ClearFavoritesPage: Page {
  var title: Text { "Clear favorites" }
  var kind: Text { "message-page" }
  var tab: Tab? { .favorites }

  var heading: HTML {
    h1 { title }
  }

  var content: HTML {
    div(.class("message")) {
      if count == 0 {
        p { "You have no favorites." }
      } else {
        p {
          count == 1
            ? "This removes your one favorite and its note, on all your devices."
            : "This removes your " + Text(grouped: count) + " favorites and their notes, on all your devices."
        }
        EditForm(address: .clearFavorites, comic: nil, back: Link.favorites.address)
          .html(.class("button")) { "Clear favorites" }
      }
      ul(.class("ways")) { li { a(.href(.favorites)) { "Back to your favorites" } } }
    }
  }
}
