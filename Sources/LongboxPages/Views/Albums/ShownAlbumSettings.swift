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
}

extension ShownAlbumSettings: SettingsSubpage {
  var title: Text { "Album settings" }

  @HTMLBuilder var groups: HTML {
    if isSaved { p(.class("note"), .role("status")) { "Settings saved." } }
    SettingsRows.group("Country", id: "country-title") {
      form(.class("access"), .action(.local(Self.address)), Attribute("method", "post")) {
        CountryField(country: country).html
        p(.class("hint")) {
          "Stores differ from country to country. An album keeps the country in which you found it."
        }
        button(.class("button action"), Attribute("type", "submit")) { "Save" }
      }
    }
    SettingsRows.group("Decided by the operator of this server", id: "operator-title") {
      div(.class("rows")) {
        SettingsRows.row(
          span { "Articles" },
          value: articleLanguage.map { "Wikipedia, “" + $0 + "”" } ?? "Off"
        )
        SettingsRows.row(span { "Covers" }, value: showsCovers ? "Shown" : "Off")
      }
    }
    ul(.class("links")) { li { a(.href(.artists(.empty, nil))) { "Albums" } } }
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
