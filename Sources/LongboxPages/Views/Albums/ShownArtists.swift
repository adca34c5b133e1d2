// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

public struct ShownArtists: Equatable, Sendable {
  /// The reader's search text; may be empty.
  public var term: Text
  public var country: StoreCountry
  /// The found artists; nil without a search or a result yet.
  public var artists: [Artist]?
  /// Why the data is missing or old.
  public var notice: AlbumNotice?
  /// The artists that the reader visited recently.
  public var recent: [RecentArtist] = []
  /// The sample box's artists, if it is shown.
  public var samples: [Artist]?

  public init(
    term: Text,
    country: StoreCountry,
    artists: [Artist]? = nil,
    notice: AlbumNotice? = nil
  ) {
    self.term = term
    self.country = country
    self.artists = artists
    self.notice = notice
  }

  public var page: AlbumPage {
    let message = notice?.html(about: "This artist", in: country, again: address) ?? HTML()
    let body = box + message + found + others
    let status = artists == nil ? notice?.status ?? 200 : 200
    return AlbumPage(
      name: term.isEmpty ? "Albums" : "Albums: " + term,
      body: body + AlbumCredit.html(isSample: samples != nil),
      status: status,
      reload: notice?.reload
    )
  }

  private var address: Link { .artists(term, country) }

  private var box: HTML {
    form(.class("artist-box"), .role("search"), .action(.local("/albums")), Attribute("method", "get")) {
      label(Attribute("for", "artist")) { "Artist" }
      div(.class("field")) {
        input(
          .id("artist"),
          Attribute("name", "artist"),
          Attribute("type", "search"),
          Attribute("autocomplete", "off"),
          Attribute("spellcheck", "false"),
          Attribute("enterkeyhint", "search"),
          Attribute("maxlength", 100),
          Attribute("required"),
          Attribute("value", term)
        )
        button(.class("button"), Attribute("type", "submit")) { "Search" }
      }
      CountryField(country: country).html
    }
  }

  @HTMLBuilder private var found: HTML {
    if let artists, artists.isEmpty {
      p(.class("count-of"), .role("status")) {
        // The store isn't queried while samples are shown.
        if samples != nil {
          "No artist found in the sample box."
        } else {
          "No artist found in the " + country.name + " store."
        }
      }
    } else if let artists {
      p(.class("count-of"), .role("status")) {
        counted(artists.count, "artist", "artists")
      }
      list(artists, named: "Artists")
    }
  }

  @HTMLBuilder private var others: HTML {
    if artists == nil, let samples {
      h2 { "In the sample box" }
      list(samples, named: "Artists")
    }
    if artists == nil, !recent.isEmpty {
      h2 { "Recent artists" }
      ul(.class("names"), .label("Recent artists")) {
        for artist in recent {
          li { a(.href(.discography(artist.id, artist.country, .all))) { bdi { artist.name } } }
        }
      }
    }
    ul(.class("links")) { li { a(.href(.savedAlbums)) { "Saved albums" } } }
  }

  private func list(_ artists: [Artist], named name: Text) -> HTML {
    ul(.class("names"), .label(name)) {
      for artist in artists {
        li {
          a(.href(.discography(artist.id, country, .all))) { bdi { artist.name } }
          if !artist.genre.isEmpty { span(.class("by")) { artist.genre } }
        }
      }
    }
  }
}

/// The reader's settings of albums, with those of the operator.
public struct ShownAlbumSettings: Equatable, Sendable {
  public var country: StoreCountry
  /// The language code of articles; nil if Wikipedia is switched off.
  public var articleLanguage: Text?
  /// The codes of the languages that the reader can choose for articles.
  public var articleLanguages: [Text]
  public var showsCovers: Bool
  /// Whether the form was just saved.
  public var isSaved: Bool

  public init(
    country: StoreCountry,
    articleLanguage: Text?,
    articleLanguages: [Text],
    showsCovers: Bool,
    isSaved: Bool
  ) {
    self.country = country
    self.articleLanguage = articleLanguage
    self.articleLanguages = articleLanguages
    self.showsCovers = showsCovers
    self.isSaved = isSaved
  }

  public static var address: Text { "/albums/settings" }
}

extension ShownAlbumSettings: SettingsSubpage {
  var title: Text { "Album settings" }

  @HTMLBuilder var groups: HTML {
    if isSaved { p(.class("note"), .role("status")) { "Settings saved." } }
    SettingsRows.group("Store and articles", id: "choice-title") {
      SettingsRows.form(to: Self.address) {
        SettingsRows.list(
          "Store",
          CountryField.field,
          CountryField(country: country).list,
          hint: "Stores differ from country to country. An album keeps the country in which you found it."
        )
        if let articleLanguage, ArticleLanguages.isChoice(articleLanguages) {
          SettingsRows.list(
            "Language of articles",
            ArticleLanguages.field,
            ArticleLanguages.list(articleLanguages, chosen: articleLanguage),
            hint: "What Wikipedia says about an album. Not every album has an article in every language."
          )
        }
      }
    }
    SettingsRows.group("Decided by the operator of this server", id: "operator-title") {
      div(.class("rows")) {
        SettingsRows.row(span { "Articles" }, value: articles)
        SettingsRows.row(span { "Covers" }, value: showsCovers ? "Shown" : "Off")
      }
    }
    ul(.class("links")) { li { a(.href(.artists(.empty, nil))) { "Albums" } } }
  }

  /// Whether there are articles, and their language if the reader can't choose it.
  private var articles: Text {
    guard let articleLanguage else { return "Off" }
    let isChoice = ArticleLanguages.isChoice(articleLanguages)
    return isChoice ? "Wikipedia" : "Wikipedia, " + ArticleLanguages.name(of: articleLanguage)
  }
}

struct CountryField {
  let country: StoreCountry

  static var field: Text { "country" }

  @HTMLBuilder var html: HTML {
    label(.class("store"), Attribute("for", Self.field)) { "Store" }
    list
  }

  /// The countries alone, for a label elsewhere.
  var list: HTML { SelectList.html(Self.field, chosen: country.text, country.choices) }
}

extension StoreCountry {
  /// Countries with a store, by English name; others are accepted in an address.
  private static let names: [(code: Text, name: Text)] = [
    ("ar", "Argentina"), ("au", "Australia"), ("at", "Austria"), ("be", "Belgium"), ("br", "Brazil"),
    ("ca", "Canada"), ("cl", "Chile"), ("co", "Colombia"), ("cz", "Czechia"), ("dk", "Denmark"),
    ("fi", "Finland"), ("fr", "France"), ("de", "Germany"), ("gr", "Greece"), ("hu", "Hungary"),
    ("in", "India"), ("id", "Indonesia"), ("ie", "Ireland"), ("il", "Israel"), ("it", "Italy"),
    ("jp", "Japan"), ("kr", "Korea"), ("mx", "Mexico"), ("nl", "Netherlands"), ("nz", "New Zealand"),
    ("no", "Norway"), ("pl", "Poland"), ("pt", "Portugal"), ("ro", "Romania"), ("za", "South Africa"),
    ("es", "Spain"), ("se", "Sweden"), ("ch", "Switzerland"), ("tw", "Taiwan"), ("tr", "Türkiye"),
    ("ua", "Ukraine"), ("gb", "United Kingdom"), ("us", "United States"),
  ]

  /// The English name, or the country's code.
  var name: Text {
    Self.names.first { $0.code == text }?.name ?? text
  }

  /// The countries to choose from, including this one.
  var choices: [(code: Text, name: Text)] {
    let isKnown = Self.names.contains { $0.code == text }
    return isKnown ? Self.names : [(text, text)] + Self.names
  }
}
