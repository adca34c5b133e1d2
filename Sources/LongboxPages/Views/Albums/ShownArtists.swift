// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The artist search page.
public struct ShownArtists: Equatable, Sendable {
  /// The reader's search text; may be empty.
  public var term: Text
  /// The store's country.
  public var country: StoreCountry
  /// The found artists; nil without a search or a result yet.
  public var artists: [Artist]?
  /// Why the data is missing or old.
  public var notice: AlbumNotice?
  /// The artists that the reader visited recently.
  public var recent: [RecentArtist] = []
  /// The sample box's artists, if it is shown.
  public var samples: [Artist]?

  /// Makes a page.
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

  /// The page.
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
