// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// How Longbox looks and behaves for this reader.
struct SettingsPage: Equatable {
  let appearance: Appearance
  let invertsInDark: Bool
  let favorites: Int
  let searchesDeep: Bool
  let keepsComics: Bool

  init(reader: Reader) {
    appearance = reader.library.value(of: .appearance)
    invertsInDark = reader.library.value(of: .invertInDark)
    favorites = reader.library.favorites.count
    searchesDeep = reader.library.value(of: .deepSearchByDefault)
    keepsComics = reader.library.value(of: .keepComics)
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
      habits
      // Downloads and storage: `app.js` puts them here, for without scripts nothing is kept.
      section(.id("on-this-device"), .label("On this device"), Attribute("hidden")) {}
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
      toggle("Invert comics in the dark", name: "invert", isOn: invertsInDark)
      p(.class("hint")) { "Only comics that are light and have no colour are inverted." }
      save
    }
  }

  private var habits: HTML {
    form(.class("look"), Attribute("action", Edit.Address.habits.path), Attribute("method", "post")) {
      fieldset {
        legend { "Reading and search" }
        toggle("Deep search by default", name: "deep", isOn: searchesDeep)
        toggle("Keep comics on this device", name: "keep", isOn: keepsComics)
      }
      p(.class("hint")) {
        "Pictures that you have seen are kept by your browser, so that they are there without a connection. Those of your "
        "favorites are kept in any case."
      }
      save
    }
  }

  /// The end of a form that leads back to this page.
  @HTMLBuilder private var save: HTML {
    input(
      Attribute("type", "hidden"),
      Attribute("name", "back"),
      Attribute("value", Link.settings.address)
    )
    button(.class("button"), Attribute("type", "submit")) { "Save" }
  }

  private func toggle(_ label: Text, name: Text, isOn: Bool) -> HTML {
    LongboxPages.label(.class("switch")) {
      input(
        Attribute("type", "checkbox"),
        .role("switch"),
        Attribute("name", name),
        Attribute("value", "on"),
        isOn ? Attribute("checked") : .none
      )
      span { label }
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
