// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Every address that a page can point to; no address is written anywhere else.
public enum Link: Equatable, Sendable {
  /// The newest comic.
  case latest
  /// A comic.
  case comic(Comic.Number)
  /// The whole explanation of a comic.
  case explanation(Comic.Number)
  /// The card that stands where comic 404 would be.
  case missingNumber
  /// A comic by chance.
  case random
  /// A comic by chance that the reader has not read.
  case randomUnread
  /// The comics that came out on this day of other years.
  case onThisDay
  /// Where the form for a number leads.
  case go
  /// All comics.
  case overview(Overview)
  /// The comic that the reader viewed last.
  case resume
  /// The reader's favourites.
  case favorites
  /// The search page, with a search or without.
  case search(Search)
  /// Where artists are looked for, by words of a name or, where these are empty, not yet.
  case artists(Text, StoreCountry?)
  /// An artist's albums.
  case discography(StoreID, StoreCountry?, AlbumSelection)
  /// The albums that the reader saved.
  case savedAlbums
  /// An album.
  case album(StoreID, StoreCountry?)
  /// The quiz on an album.
  case quiz(StoreID, StoreCountry?)
  /// Which country's store is asked for albums.
  case albumSettings
  /// The cover of an album.
  case cover(StoreID, isSmall: Bool)
  /// The question before all favourites are removed.
  case clearFavorites
  /// How Longbox looks and behaves for the reader.
  case settings
  /// Where a reader gets a link for another device; a form leads there.
  case move
  /// Where another device's library is joined.
  case join
  /// The reader's library as a file.
  case exportLibrary
  /// Where such a file is read.
  case importLibrary
  /// What a feed reader can follow.
  case feeds
  /// Licences and what this server has.
  case about
  /// A comic's picture. The version is a part of its content's hash, so that it may be cached for good.
  case picture(Comic.Number, doubleSize: Bool, version: Text)
  /// A small picture of a comic.
  case thumbnail(Comic.Number, version: Text)
  /// A file of the web application.
  case asset(Text, version: Text)
  /// What an installed app is called and looks like.
  case manifest
  /// The description of what programs can ask.
  case api
  /// How other sites show a page of ours, by its whole address.
  case embedding(of: Text)
  /// A comic on xkcd.com.
  case xkcd(Comic.Number)
  /// The page about a comic on explain xkcd.
  case explainXkcd(Comic.Number)
  /// The licence of explain xkcd's texts.
  case explainLicence
  /// The licence of xkcd's comics.
  case xkcdLicence
  /// A path of this site that a form came from.
  case local(Text)
  /// Any other http or https address, checked by whoever made it.
  case external(Text)

  /// What is searched for.
  public struct Search: Equatable, Sendable {
    /// What the reader typed.
    public var text: Text
    /// Whether all texts are searched, or titles and numbers only.
    public var isDeep: Bool
    /// How many comics are left out at the start, for the next page of results.
    public var offset: Int

    /// Makes a search, by default an empty one.
    public init(text: Text = .empty, isDeep: Bool = false, offset: Int = 0) {
      self.text = text
      self.isDeep = isDeep
      self.offset = offset
    }
  }

  /// How all comics are shown.
  public struct Overview: Equatable, Sendable {
    /// As small pictures or as lines.
    public enum View: Equatable, Sendable {
      /// Small pictures side by side.
      case grid
      /// A line a comic.
      case list
      /// A square a comic, which tells whether it was read.
      case map
    }

    /// Pictures or lines.
    public var view: View
    /// One year only, or all.
    public var year: Int?
    /// Whether comics that were read are left out.
    public var isUnreadOnly: Bool
    /// What came out on one day of any year, or all.
    public var day: DayOfYear?

    /// Makes a way to show the comics, by default all of them as small pictures.
    public init(view: View = .grid, year: Int? = nil, isUnreadOnly: Bool = false, day: DayOfYear? = nil) {
      self.view = view
      self.year = year
      self.isUnreadOnly = isUnreadOnly
      self.day = day
    }
  }

  /// The address as an attribute or a header holds it, before escaping.
  public var address: Text {
    switch self {
    case .latest: "/"
    case .comic(let number): "/" + Text(decimal: number.value) + "/"
    case .explanation(let number): "/" + Text(decimal: number.value) + "/explanation"
    case .missingNumber: "/404/"
    case .random: "/random"
    case .randomUnread: "/random?unread=1"
    case .onThisDay: "/on-this-day"
    case .go: "/go"
    case .overview(let overview): overview.address
    case .resume: "/continue"
    case .favorites: "/favorites"
    case .search(let search): search.address
    case .artists(let words, let country):
      "/albums"
        + Self.query(words.isEmpty ? .empty : "artist=" + FormEncoding.encode(words), Self.field(country))
    case .discography(let artist, let country, let selection):
      "/albums/artists/" + artist.text + Self.query(Self.field(country), selection.field)
    case .savedAlbums: "/albums/saved"
    case .album(let album, let country): "/albums/" + album.text + Self.query(Self.field(country))
    case .quiz(let album, let country): "/albums/" + album.text + "/quiz" + Self.query(Self.field(country))
    case .albumSettings: "/albums/settings"
    case .cover(let album, let isSmall): "/albums/" + album.text + (isSmall ? "/cover?size=small" : "/cover")
    case .clearFavorites: "/favorites/clear"
    case .settings: "/settings"
    case .move: "/settings/move"
    case .join: "/join"
    case .exportLibrary: "/settings/export"
    case .importLibrary: "/settings/import"
    case .feeds: "/feeds"
    case .about: "/about"
    case .picture(let number, let doubleSize, let version):
      "/comics/" + Text(decimal: number.value) + (doubleSize ? "/image@2x" : "/image")
        + Self.versioned(version)
    case .thumbnail(let number, let version):
      "/comics/" + Text(decimal: number.value) + "/thumbnail" + Self.versioned(version)
    case .asset(let name, let version): "/assets/" + name + Self.versioned(version)
    case .api: "/api/openapi.json"
    case .manifest: "/manifest.webmanifest"
    case .embedding(let address): "/oembed?url=" + FormEncoding.encode(address)
    case .xkcd(let number): "https://xkcd.com/" + Text(decimal: number.value) + "/"
    case .explainXkcd(let number):
      "https://www.explainxkcd.com/wiki/index.php/" + Text(decimal: number.value)
    case .explainLicence: "https://creativecommons.org/licenses/by-sa/3.0/"
    case .xkcdLicence: "https://creativecommons.org/licenses/by-nc/2.5/"
    case .local(let path): path
    case .external(let address): address
    }
  }

  private static func versioned(_ version: Text) -> Text {
    version.isEmpty ? .empty : "?v=" + version
  }

  private static func field(_ country: StoreCountry?) -> Text {
    country.map { "country=" + $0.text } ?? .empty
  }

  /// The fields that are not empty, as a query.
  static func query(_ fields: Text...) -> Text {
    var query = Text.empty
    for field in fields where !field.isEmpty { query = query + (query.isEmpty ? "?" : "&") + field }
    return query
  }
}

extension Link.Search {
  fileprivate var address: Text {
    guard !text.isEmpty else { return "/search" }
    return "/search?q=" + FormEncoding.encode(text) + (isDeep ? "&deep=1" : "&deep=0")
      + (offset > 0 ? "&offset=" + Text(decimal: offset) : .empty)
  }
}

extension Link.Overview {
  fileprivate var address: Text {
    var fields: [Text] = []
    if view == .list { fields.append("view=list") }
    if view == .map { fields.append("view=map") }
    if let year { fields.append("year=" + Text(decimal: year)) }
    if isUnreadOnly { fields.append("unread=1") }
    if let day { fields.append("on=" + day.text) }
    return fields.reduce("/comics") { address, field in address + (address == "/comics" ? "?" : "&") + field }
  }
}
