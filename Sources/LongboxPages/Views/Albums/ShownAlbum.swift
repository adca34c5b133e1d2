// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

public struct ShownAlbum: Equatable, Sendable {
  /// The state of the article for readers who have made a choice.
  public struct ArticleChoice: Equatable, Sendable {
    /// The number of the page that they have chosen; 0 for none of those found.
    public var page: Int
    public var article: ShownArticle

    public init(_ page: Int, _ article: ShownArticle) {
      self.page = page
      self.article = article
    }
  }

  public var id: StoreID
  public var country: StoreCountry
  /// The album with its tracks, if known.
  public var details: AlbumDetails?
  /// Why the data is missing or old.
  public var notice: AlbumNotice?
  /// The state of its Wikipedia article for readers who have made no choice.
  public var article: ShownArticle
  /// Its state for readers who have made a choice.
  public var articleChoices: [ArticleChoice] = []
  /// The language code of the article, or empty.
  public var articleLanguage: Text = .empty
  /// The codes of the languages that the reader can choose for articles.
  public var articleLanguages: [Text] = []
  public var showsCover: Bool
  /// Whether the album is from the sample box.
  public var isSample: Bool

  public init(
    id: StoreID,
    country: StoreCountry,
    details: AlbumDetails? = nil,
    notice: AlbumNotice? = nil,
    article: ShownArticle = .unavailable,
    showsCover: Bool = true,
    isSample: Bool = false
  ) {
    self.id = id
    self.country = country
    self.details = details
    self.notice = notice
    self.article = article
    self.showsCover = showsCover
    self.isSample = isSample
  }

  public var page: AlbumPage {
    let again = Link.album(id, country)
    guard let details else {
      let body = notice?.html(about: "This album", in: country, again: again) ?? HTML()
      return AlbumPage(name: "Album", body: body, status: notice?.status ?? 200, reload: notice?.reload)
    }
    let body = div(.class("record")) {
      if showsCover { AlbumCover(album: id, isSmall: false).html }
      facts(details)
      div(.class("list")) {
        notice?.html(about: "This album", in: country, again: again) ?? HTML()
        tracks(details.tracks)
        if let given = details.givenCount {
          p(.class("note")) {
            "The store lists " + Text(decimal: details.album.trackCount) + " tracks, but names only "
              + Text(decimal: given)
              + "."
          }
        }
        HTML(trusted: ArticleVersions.mark)
        AlbumCredit.html(isSample: isSample)
      }
    }
    var page = AlbumPage(name: details.album.name.full, body: body, reload: notice?.reload)
    page.tracks = AlbumTracks(details)
    page.articles = articles
    return page
  }

  private var articles: ArticleVersions {
    func html(_ article: ShownArticle) -> HTML {
      let back = Link.album(id, country).address
      return ArticleDisclosure(
        article: article,
        album: id,
        language: articleLanguage,
        languages: articleLanguages,
        back: back
      ).html
    }
    let choices = articleChoices.map { ArticleVersions.Version(page: $0.page, html: html($0.article)) }
    return ArticleVersions(
      language: articleLanguage,
      versions: [ArticleVersions.Version(page: nil, html: html(article))] + choices
    )
  }

  private func facts(_ details: AlbumDetails) -> HTML {
    let album = details.album
    return div(.class("facts")) {
      p(.class("artist")) {
        if let artist = album.artistID {
          a(.href(.discography(artist, country, .all))) { bdi { album.artist } }
        } else {
          bdi { album.artist }
        }
      }
      p(.class("sum")) {
        if let released = album.released {
          LongboxPages.time(Attribute("datetime", released.iso8601)) { released.spelled }
          "\u{A0}· "
        }
        if !album.genre.isEmpty { album.genre + "\u{A0}· " }
        length(details.tracks)
        switch album.explicitness {
        case .explicit: "\u{A0}· Explicit lyrics"
        case .cleaned: "\u{A0}· Clean version"
        case .notExplicit: ""
        }
      }
      div(.class("album-actions")) {
        if details.tracks.tracks.count > 1 {
          a(.class("button primary quiz-link"), .href(.quiz(id, country))) { "Quiz" }
        }
        edit(album)
      }
      if !album.storeAddress.isEmpty {
        p { a(.href(.external(album.storeAddress))) { "In the iTunes Store" } }
      }
      if !album.copyright.isEmpty { p(.class("hint")) { bdi { album.copyright } } }
    }
  }

  /// Buttons to save and to remove the album; the style sheet shows one of them.
  @HTMLBuilder private func edit(_ album: Album) -> HTML {
    form(.class("edit save"), .action(.local(EditAddress.saveAlbum.path)), Attribute("method", "post")) {
      hidden("album", album.id.text)
      hidden("country", country.text)
      hidden("name", album.name.full)
      hidden("artist", album.artist)
      hidden("year", Text(decimal: album.released?.year ?? 0))
      hidden("back", Link.album(id, country).address)
      button(.class("button action"), Attribute("type", "submit")) { "Save album" }
    }
    form(
      .class("edit remove"),
      .action(.local(EditAddress.removeAlbum.path)),
      Attribute("method", "post")
    ) {
      hidden("album", album.id.text)
      hidden("back", Link.album(id, country).address)
      button(.class("button action"), Attribute("type", "submit")) { "Remove album" }
    }
  }

  private func length(_ list: TrackList) -> Text {
    let count = list.tracks.count
    let songs = counted(count, "song", "songs")
    let minutes = (list.milliseconds + 30_000) / 60_000
    guard minutes > 0 else { return songs }
    let hours = minutes / 60
    let whole =
      hours > 0 ? Text(decimal: hours) + " h " + Text(decimal: minutes % 60) : Text(decimal: minutes)
    return songs + ", " + whole + " min"
  }

  @HTMLBuilder private func tracks(_ list: TrackList) -> HTML {
    if list.tracks.isEmpty {
      p(.class("note")) { "The store lists no songs for this album." }
    } else if list.discs.count == 1 {
      tracks(list.discs[0], named: "Tracks")
    } else {
      for disc in list.discs {
        h2 { "Disc " + Text(decimal: disc.number) }
        tracks(disc, named: "Tracks of disc " + Text(decimal: disc.number))
      }
    }
  }

  private func tracks(_ disc: TrackList.Disc, named name: Text) -> HTML {
    ol(.class("tracks"), .label(name)) {
      for position in disc.positions {
        switch position {
        case .track(let track):
          li(Attribute("value", track.number)) {
            span(.class("number"), Attribute("aria-hidden", "true")) { Text(decimal: track.number) }
            span {
              bdi { track.title }
              if !track.artist.isEmpty { span(.class("by")) { bdi { track.artist } } }
            }
            if track.milliseconds > 0 { span(.class("length")) { Self.time(track.milliseconds) } }
          }
        case .gap(let number):
          li(.class("gap"), Attribute("value", number)) {
            span(.class("number"), Attribute("aria-hidden", "true")) { Text(decimal: number) }
            span { "Not sold in this country" }
          }
        }
      }
    }
  }

  /// `3:05`, or `1:02:03`.
  private static func time(_ milliseconds: Int) -> Text {
    let seconds = (milliseconds + 500) / 1_000
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
    let end = ":" + Text(seconds % 60, digits: 2)
    return hours > 0
      ? Text(decimal: hours) + ":" + Text(minutes, digits: 2) + end : Text(decimal: minutes) + end
  }
}

/// The cover of an album, with its space reserved.
struct AlbumCover {
  let album: StoreID
  let isSmall: Bool

  /// Small covers are next to the name, so they have no alt text.
  var html: HTML {
    span(.class("sleeve")) {
      img(
        .src(.cover(album, isSmall: isSmall)),
        .alt(isSmall ? .empty : "Cover"),
        Attribute("width", isSmall ? 200 : 600),
        Attribute("height", isSmall ? 200 : 600),
        isSmall ? Attribute("loading", "lazy") : .none
      )
    }
  }
}

enum AlbumCredit {
  static func html(isSample: Bool) -> HTML {
    p(.class("credit hint")) {
      if isSample {
        "Artists and albums of the sample box were invented for Longbox."
      } else {
        "Names, dates and covers as the iTunes Store gives them. Covers are © their owners."
      }
    }
  }
}
