// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Asks before a form that removes much, and says what it removes.
struct ConfirmationPage: Equatable {
  let title: Text
  let sentence: Text
  let address: EditAddress
  let parent: BackLink
  /// Whether there is anything to remove.
  let hasEffect: Bool

  init(_ address: EditAddress, library: Library, site: Site = Site()) {
    self.address = address
    // A static copy doesn't sync.
    let reach: Text = site.isStaticCopy ? "." : ", on all your devices."
    if address == .clearFavorites {
      let count = library.favorites.count
      title = "Clear favorites"
      sentence =
        switch count {
        case 0: "You have no favorites yet."
        case 1: "This removes your one favorite and its note" + reach
        default:
          "This removes your " + Text(grouped: count) + " favorites and their notes" + reach
        }
      hasEffect = count > 0
      parent = BackLink(link: .favorites, name: "Back to your favorites")
    } else {
      title = "Mark all comics as unread"
      hasEffect = !library.readMarks.isEmpty
      sentence =
        hasEffect
        ? "All comics count as unread again" + reach + " Your favorites and notes stay."
        : "You have not read any comic yet."
      parent = .settings
    }
  }
}

extension ConfirmationPage: Page {
  var kind: Text { "message-page" }
  var tab: Tab? { address == .clearFavorites ? .favorites : .settings }
  var back: BackLink? { parent }

  var content: HTML {
    div(.class("message")) {
      p { sentence }
      if hasEffect {
        EditForm(address: address, comic: nil, back: parent.link.address).html(.class("button action")) {
          title
        }
      }
    }
  }
}
