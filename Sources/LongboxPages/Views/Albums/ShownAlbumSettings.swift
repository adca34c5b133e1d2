// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What a reader decides about albums, and what whoever runs the server has decided.
public struct ShownAlbumSettings: Equatable, Sendable {
  /// Whose store is asked.
  public var country: StoreCountry
  /// The code of the language of the articles, or nothing where Wikipedia is not asked.
  public var articleLanguage: Text?
  /// Whether covers are shown.
  public var showsCovers: Bool
  /// Whether this is the answer to the form.
  public var isSaved: Bool

  /// Makes a page.
  public init(country: StoreCountry, articleLanguage: Text?, showsCovers: Bool, isSaved: Bool) {
    self.country = country
    self.articleLanguage = articleLanguage
    self.showsCovers = showsCovers
    self.isSaved = isSaved
  }

  /// Its address.
  public static var address: Text { "/albums/settings" }

  /// The page.
  public var page: AlbumPage {
    AlbumPage(name: "Settings of albums", body: body)
  }

  @HTMLBuilder private var body: HTML {
    if isSaved { p(.class("note"), .role("status")) { "The settings were saved." } }
    form(.class("artist-box"), Attribute("action", Self.address), Attribute("method", "post")) {
      CountryField(country: country).html
      p(.class("hint")) {
        "What is sold, and what it is called, differs from country to country. An album keeps the country in which it was found."
      }
      div { button(.class("button action"), Attribute("type", "submit")) { "Save" } }
    }
    p(.class("hint")) {
      if let articleLanguage {
        "Articles come from Wikipedia in the language “" + articleLanguage + "”. "
      } else {
        "Articles from Wikipedia are switched off. "
      }
      showsCovers ? "Covers are shown. " : "Covers are switched off. "
      "Whoever runs this server decides that, for all of its readers."
    }
    ul(.class("ways")) {
      li { a(.href(.settings)) { "All settings" } }
      li { a(.href(.artists(.empty, nil))) { "Albums" } }
    }
  }
}

/// The choice of the country whose store is asked.
struct CountryField {
  let country: StoreCountry

  @HTMLBuilder var html: HTML {
    label(.class("store"), Attribute("for", "country")) { "Store" }
    HTML(
      element: "select",
      [.id("country"), Attribute("name", "country")],
      country.choices.reduce(into: HTML()) { all, choice in
        all.append(
          HTML(
            element: "option",
            [
              Attribute("value", choice.code),
              choice.code == country.text ? Attribute("selected") : .none,
            ],
            HTML(choice.name)
          )
        )
      }
    )
  }
}
