// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// How Longbox looks and behaves for this reader.
struct SettingsPage: Equatable {
  let appearance: Appearance
  let invertsInDark: Bool
  let favorites: Int

  init(reader: Reader) {
    appearance = reader.library.value(of: .appearance)
    invertsInDark = reader.library.value(of: .invertInDark)
    favorites = reader.library.favorites.count
  }
}

extension SettingsPage: Page {
  var title: Text { "Settings" }
  var kind: Text { "settings-page" }
  var tab: Tab? { .settings }
  var canonical: Link? { .settings }

  var heading: HTML {
    h1 { title }
  }

  var content: HTML {
    div(.class("prose")) {
      look
      section(Attribute("aria-labelledby", "kept")) {
        h2(.id("kept")) { "What is kept of you" }
        p {
          "Your favorites, notes, settings and what you have read stand on this server, under a random name that only your "
          "browser knows. There is no account, and nobody else is told."
        }
        p { a(.href(.clearFavorites)) { "Clear favorites" } }
      }
      devices
      p { a(.href(.about)) { "About Longbox, and licences" } }
    }
  }
}

extension SettingsPage {
  private var look: HTML {
    form(.class("look"), Attribute("action", Edit.Address.look.path), Attribute("method", "post")) {
      fieldset(.role("radiogroup")) {
        legend { "Appearance" }
        for choice in Appearance.allCases { radio(choice) }
      }
      label(.class("switch")) {
        input(
          Attribute("type", "checkbox"),
          .role("switch"),
          Attribute("name", "invert"),
          Attribute("value", "on"),
          invertsInDark ? Attribute("checked") : .none
        )
        span { "Invert comics in the dark" }
      }
      p(.class("hint")) { "Only comics that are light and have no colour are inverted." }
      input(
        Attribute("type", "hidden"),
        Attribute("name", "back"),
        Attribute("value", Link.settings.address)
      )
      button(.class("button"), Attribute("type", "submit")) { "Save" }
    }
  }

  private func radio(_ choice: Appearance) -> HTML {
    label(.class("radio")) {
      input(
        Attribute("type", "radio"),
        Attribute("name", "appearance"),
        Attribute("value", choice.word),
        choice == appearance ? Attribute("checked") : .none
      )
      span { choice.name }
    }
  }
}

extension Appearance {
  fileprivate var name: Text {
    switch self {
    case .system: "System"
    case .light: "Light"
    case .dark: "Dark"
    }
  }
}
