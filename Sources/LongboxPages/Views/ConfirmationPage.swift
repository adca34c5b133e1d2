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
  /// The favorites to remove; empty if the form removes all.
  var comics: [Comic.Number] = []

  /// Asks about selected favorites, whose removal can't be undone.
  init(removing comics: [Comic.Number], site: Site = Site()) {
    address = .removeFavorites
    title = "Remove favorites"
    sentence =
      "This removes " + counted(favorites: comics.count) + " and their notes" + Self.reach(of: site)
      + " You can’t undo this."
    hasEffect = true
    parent = .favorites
    self.comics = comics
  }

  init(_ address: EditAddress, library: Library, site: Site = Site()) {
    self.address = address
    let reach = Self.reach(of: site)
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
      parent = .favorites
    } else {
      title = "Mark all comics as unread"
      hasEffect = library.readMarks.greatestRead != nil
      sentence =
        hasEffect
        ? "All comics count as unread again" + reach + " Your favorites and notes stay."
        : "You have not read any comic yet."
      parent = .settings
    }
  }

  /// A static copy doesn't sync.
  private static func reach(of site: Site) -> Text { site.isStaticCopy ? "." : ", on all your devices." }
}

extension ConfirmationPage: Page {
  var kind: Text { "message-page" }
  var tab: Tab? { address == .clearReadMarks ? .settings : .favorites }
  var back: BackLink? { parent }

  var content: HTML {
    div(.class("message")) {
      p { sentence }
      if hasEffect {
        EditForm(address: address, comic: nil, back: parent.link.address, comics: comics)
          .html(.class("button action")) { title }
      }
    }
  }
}
