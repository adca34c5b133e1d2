// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The reader's settings of albums, with those of the operator.
public struct ShownAlbumSettings: Equatable, Sendable {
  /// The reader's store country.
  public var country: StoreCountry
  /// The language code of articles; nil if Wikipedia is switched off.
  public var articleLanguage: Text?
  /// Whether covers are shown.
  public var showsCovers: Bool
  /// Whether the form was just saved.
  public var isSaved: Bool

  /// Makes a page.
  public init(country: StoreCountry, articleLanguage: Text?, showsCovers: Bool, isSaved: Bool) {
    self.country = country
    self.articleLanguage = articleLanguage
    self.showsCovers = showsCovers
    self.isSaved = isSaved
  }

  /// The page's address.
  public static var address: Text { "/albums/settings" }

  /// The page.
  public var page: AlbumPage {
    AlbumPage(name: "Album settings", body: body)
  }

  @HTMLBuilder private var body: HTML {
    if isSaved { p(.class("note"), .role("status")) { "Settings saved." } }
    form(.class("artist-box"), .action(.local(Self.address)), Attribute("method", "post")) {
      CountryField(country: country).html
      p(.class("hint")) {
        "Stores differ from country to country. An album keeps the country in which you found it."
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
      "The operator of this server decides this for everyone."
    }
    ul(.class("links")) {
      li { a(.href(.settings)) { "All settings" } }
      li { a(.href(.artists(.empty, nil))) { "Albums" } }
    }
  }
}

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
