// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The main part of a page about albums, made by the server.
///
/// Devices store it for saved albums and show it in their own frame.
public struct AlbumPage: Equatable, Sendable {
  /// The title, which is also the heading.
  public var name: Text
  /// The main content, with a mark where ``articles`` belong.
  public var body: HTML
  /// What an album's page says about its article, by the reader's choice.
  public var articles: ArticleVersions?
  public var status: Int
  /// The number of seconds after which the browser should reload the page.
  public var reload: Int?
  /// The page's artist, to add to the reader's recent artists.
  public var artist: RecentArtist?
  /// The album's tracks, if known.
  public var tracks: AlbumTracks?
  /// The page's album, if any.
  var album: StoreID?
  var isSaved = false
  /// The page above it.
  var back: BackLink?
  /// The reader's choice of article.
  var pick: ArticlePick?

  public init(name: Text, body: HTML, status: Int = 200, reload: Int? = nil) {
    self.name = name
    self.body = body
    self.status = status
    self.reload = reload
  }
}

extension AlbumPage: Page {
  var title: Text { name }
  var kind: Text { "albums-page" }
  var tab: Tab? { .albums }
  var showsComics: Bool { false }

  var heading: HTML {
    nameHeading(name)
  }

  /// The body has buttons to save and to remove the album; the style sheet shows one of them.
  @HTMLBuilder var content: HTML {
    LibraryStyle.html
    div(.class(album == nil ? "albums" : isSaved ? "albums album is-saved" : "albums album")) {
      content(for: pick)
    }
  }

  /// The main content with the article that a reader has chosen.
  func content(for pick: ArticlePick?) -> HTML { articles?.placed(in: body, for: pick) ?? body }
}

/// The album data for a quiz: track titles and artist.
public struct AlbumTracks: Equatable, Sendable {
  public var album: Text
  public var name: Text
  /// The artist's identifier; empty if the album isn't by a single artist.
  public var artist: Text
  public var artistName: Text
  /// The track titles, in order.
  public var titles: [Text]

  public init(album: Text, name: Text, artist: Text, artistName: Text, titles: [Text]) {
    self.album = album
    self.name = name
    self.artist = artist
    self.artistName = artistName
    self.titles = titles
  }

  /// Makes the data from an album in the store.
  public init(_ details: AlbumDetails) {
    self.init(
      album: details.album.id.text,
      name: details.album.name.full,
      artist: details.album.artistID?.text ?? .empty,
      artistName: details.album.artist,
      titles: details.tracks.tracks.map { $0.title }
    )
  }

  /// The arrow to the artist's albums; nil if the album isn't by a single artist.
  func backToArtist(in country: StoreCountry?) -> BackLink? {
    StoreID(artist).map { BackLink(link: .discography($0, country, .all), name: "Back to " + artistName) }
  }

  var quizAlbum: QuizAlbum { QuizAlbum(id: album, name: name, titles: titles) }

  /// The reader's saved albums of the same artist, in the order of the saved list.
  private func saved(in library: Library) -> ArraySlice<SavedAlbum> {
    guard !artist.isEmpty else { return [] }
    return library.savedAlbums.filter { $0.artist == artistName }.prefix(QuizArtist.mostAlbums)
  }

  /// The needs of the quiz *Which album?*.
  func otherAlbums(in library: Library) -> [Need] {
    saved(in: library).filter { $0.id.text != album }.map { .storedAlbum($0.id, $0.country) }
  }

  /// The artist with the saved albums that are loaded; nil if the album isn't by a single artist.
  func quizArtist(in library: Library, loaded: Loaded) -> QuizArtist? {
    guard !artist.isEmpty else { return nil }
    let albums: [QuizAlbum] = saved(in: library).compactMap { saved in
      if saved.id.text == album { return quizAlbum }
      guard case .album(let page)? = loaded[.storedAlbum(saved.id, saved.country)], let other = page.tracks,
        other.artist == artist
      else { return nil }
      return other.quizAlbum
    }
    return QuizArtist(id: artist, name: artistName, albums: albums)
  }
}

/// What an album's page says about its article, for each choice that a reader can make.
///
/// The server makes all versions, so that a device can follow the reader's choice without a connection.
public struct ArticleVersions: Equatable, Sendable {
  /// One of the versions.
  public struct Version: Equatable, Sendable {
    /// The page that the reader has chosen: its number, 0 for none of them, nil for no choice.
    public var page: Int?
    /// What the page says then.
    public var html: HTML

    public init(page: Int?, html: HTML) {
      self.page = page
      self.html = html
    }
  }

  /// The language code of the Wikipedia that has the pages.
  public var language: Text
  /// The versions, one of them for no choice.
  public var versions: [Version]

  public init(language: Text, versions: [Version]) {
    self.language = language
    self.versions = versions
  }

  /// Marks the article's place in a page's body; escaped text never contains it.
  static var mark: StaticString { "<!--article-->" }

  /// A page's body with the version for a reader's choice; a page that is no longer found counts as no choice.
  func placed(in body: HTML, for pick: ArticlePick?) -> HTML {
    let mark = Self.mark.utf8Bytes
    guard let place = body.bytes[...].firstIndex(of: mark, from: 0) else { return body }
    let page = pick.flatMap { $0.language == language ? $0.page : nil }
    let version = versions.first { $0.page == page } ?? versions.first { $0.page == nil }
    var bytes = Array(body.bytes[..<place])
    if let version { bytes += version.html.bytes }
    bytes += body.bytes[(place + mark.count)...]
    return HTML(rendered: bytes)
  }
}

/// Why a page's album data is missing or old.
public enum AlbumNotice: Equatable, Sendable {
  /// The request is queued; the value estimates the wait.
  case waiting(seconds: Int)
  /// It failed; a sentence says why.
  case failed(Text, status: Int = 503)
  /// It doesn't exist.
  case absent
  /// The data is old, from a time spelled in words.
  case old(since: Text)

  /// The HTTP status of a page without data.
  var status: Int {
    switch self {
    case .waiting, .old: 200
    case .failed(_, let status): status
    case .absent: 404
    }
  }

  /// The number of seconds after which to reload the page; nil if reloading doesn't help.
  public var reload: Int? {
    guard case .waiting(let seconds) = self else { return nil }
    // Check again early, because requests ahead may be cancelled.
    return min(seconds + 1, 15)
  }

  /// The message.
  /// - Parameters:
  ///   - thing: what it is about, at the start of a sentence.
  ///   - country: the country of the store that was asked.
  ///   - again: the page itself.
  func html(about thing: Text, in country: StoreCountry, again: Link) -> HTML {
    switch self {
    case .waiting(let seconds): waiting(seconds, again)
    case .failed(let reason, _):
      div(.class("message")) {
        p(.role("alert")) { reason }
        ul(.class("links")) {
          li { a(.href(again)) { "Try again" } }
          li { a(.href(.savedAlbums)) { "Saved albums" } }
        }
      }
    case .absent:
      div(.class("message empty")) {
        Drawing.boxWithGap.html
        p(.role("alert")) { thing + " is not in the " + country.name + " store." }
        otherCountries(country, again)
        ul(.class("links")) {
          li { a(.href(.artists(.empty, nil))) { "Change artist" } }
          li { a(.href(.savedAlbums)) { "Saved albums" } }
        }
      }
    case .old(let since):
      p(.class("note")) { "From " + since + ". iTunes has not answered since." }
    }
  }

  /// A form that leads to the same page of another country's store.
  private func otherCountries(_ country: StoreCountry, _ page: Link) -> HTML {
    let path = Text(page.address.bytes.prefix { $0 != UInt8(ascii: "?") })
    return form(.class("artist-box"), .action(.local(path)), Attribute("method", "get")) {
      CountryField(country: country).html
      div { button(.class("button"), Attribute("type", "submit")) { "Look in this store" } }
    }
  }

  private func waiting(_ seconds: Int, _ again: Link) -> HTML {
    div(.class("message")) {
      p(.role("status"), .class("waiting")) {
        "iTunes limits searches per minute. Yours runs in "
        strong { counted(seconds, "second", "seconds") }
        "."
      }
      ul(.class("links")) {
        li { a(.href(again)) { "Try now" } }
        li { a(.href(.artists(.empty, nil))) { "Cancel" } }
        li { a(.href(.savedAlbums)) { "Saved albums" } }
      }
      div(.class("skeleton"), Attribute("aria-hidden", "true")) {
        for _ in 0..<4 { div {} }
      }
    }
  }
}
