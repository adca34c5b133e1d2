// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

struct SettingsPage: Equatable {
  let appearance: Appearance
  let invertsInDark: Bool
  let altText: AltTextDisplay
  let doubleTap: DoubleTap
  let hasShortcuts: Bool
  let favorites: Int
  let searchesDeep: Bool
  let keepsComics: Bool

  init(reader: Reader) {
    appearance = reader.library.value(of: .appearance)
    invertsInDark = reader.library.value(of: .invertInDark)
    altText = reader.library.value(of: .altText)
    doubleTap = reader.library.value(of: .doubleTap)
    hasShortcuts = reader.library.value(of: .shortcuts)
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
      reading
      habits
      albums
      section(Attribute("aria-labelledby", "progress")) {
        h2(.id("progress")) { "What you have read" }
        ReadUpToForm(back: .settings).html
        p { a(.href(.overview(.init(view: .map)))) { "What you have read, year by year" } }
      }
      // `settings.js` fills in downloads and storage, which need scripts.
      section(.id("on-this-device"), .label("On this device"), Attribute("hidden")) {}
      section(Attribute("aria-labelledby", "kept")) {
        h2(.id("kept")) { "What is kept of you" }
        p {
          "Your favorites, notes, settings and what you have read stand on this server, under a random name that only your "
          "browser knows. There is no account, and nothing is shared."
        }
        p { a(.href(.clearFavorites)) { "Clear favorites" } }
      }
      devices
      p { a(.href(.feeds)) { "Feeds" } }
      p { a(.href(.about)) { "About Longbox, and licences" } }
    }
  }
}

extension SettingsPage {
  private var look: HTML {
    form(.class("look"), Attribute("action", EditAddress.look.path), Attribute("method", "post")) {
      radios(
        "Appearance",
        name: "appearance",
        Appearance.allCases.map { ($0.name, $0.word) },
        chosen: appearance.word
      )
      toggle("Invert comics in the dark", name: "invert", isOn: invertsInDark)
      p(.class("hint")) { "Only comics that are light and have no colour are inverted." }
      save
    }
  }

  private var reading: HTML {
    form(.class("look"), Attribute("action", EditAddress.reading.path), Attribute("method", "post")) {
      radios(
        "Alt text",
        name: "alt",
        AltTextDisplay.allCases.map { ($0.name, $0.word) },
        chosen: altText.word
      )
      radios("Double tap", name: "tap", DoubleTap.allCases.map { ($0.name, $0.word) }, chosen: doubleTap.word)
      toggle("Keyboard shortcuts", name: "keys", isOn: hasShortcuts)
      save
    }
  }

  private var habits: HTML {
    form(.class("look"), Attribute("action", EditAddress.habits.path), Attribute("method", "post")) {
      fieldset {
        legend { "Search and storage" }
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

  /// The end of a form that returns to this page.
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

  private func radios(
    _ title: Text,
    name: Text,
    _ choices: [(name: Text, word: Text)],
    chosen: Text
  ) -> HTML {
    fieldset(.role("radiogroup")) {
      legend { title }
      for choice in choices {
        label(.class("radio")) {
          input(
            Attribute("type", "radio"),
            Attribute("name", name),
            Attribute("value", choice.word),
            choice.word == chosen ? Attribute("checked") : .none
          )
          span { choice.name }
        }
      }
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

extension AltTextDisplay {
  fileprivate var name: Text {
    switch self {
    case .details: "In the details"
    case .below: "Always shown"
    case .later: "After a pause"
    }
  }
}

extension DoubleTap {
  fileprivate var name: Text {
    switch self {
    case .favorite: "Favorite"
    case .zoom: "Zoom"
    }
  }
}
