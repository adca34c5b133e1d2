// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The addresses that pages link to.
///
/// Forms that change the library have theirs in ``EditAddress``; those that only a server has are in `Feeds.swift` and in its endpoints.
public enum Link: Equatable, Sendable {
  case latest
  case comic(Comic.Number)
  /// A comic in a list that is read through.
  case listed(Comic.Number, ReadingList)
  /// The full explanation of a comic.
  case explanation(Comic.Number)
  /// The page in place of comic 404.
  case missingNumber
  case random
  case randomUnread
  case randomListed(ReadingList)
  case oldestUnread
  /// The comics published on this day in other years.
  case onThisDay
  /// The target of the number form.
  case go
  /// All comics.
  case overview(Overview)
  /// All characters and topics.
  case topics
  /// The comics with a character or topic, by its key.
  case topic(Text, isUnreadOnly: Bool)
  /// The comics viewed last on this device.
  case history
  /// The comic that the reader viewed last.
  case resume
  /// Where Longbox opens.
  case start
  case favoriteList(Favorites)
  /// The search page, with or without a search.
  case search(Search)
  /// The artist search; empty words show the form only.
  case artists(Text, StoreCountry?)
  /// An artist's albums.
  case discography(StoreID, StoreCountry?, AlbumSelection)
  case savedAlbums
  case album(StoreID, StoreCountry?)
  case quiz(StoreID, StoreCountry?)
  /// The reader's choice of iTunes Store country.
  case albumSettings
  case cover(StoreID, isSmall: Bool)
  /// The confirmation before all favorites are removed.
  case clearFavorites
  /// The confirmation before all comics are marked as unread.
  case clearReadMarks
  case settings
  /// The link for pairing another device; the target of a form.
  case move
  /// The page that pairs this device with another.
  case pair
  /// The page that signs a device in.
  case signIn
  /// The signed-in devices and access keys.
  case devices
  /// The set-up for other devices, on the server's own machine.
  case phone
  /// What the checks of the server found.
  case serverStatus
  /// The reader's library as a file.
  case exportLibrary
  /// The import of a library file.
  case importLibrary
  case feeds
  /// Licenses, and what this server stores.
  case about
  /// A comic's picture; the version is part of the content's hash, so the response can be cached forever.
  case picture(Comic.Number, doubleSize: Bool, version: Text)
  case largerPicture(Comic.Number, version: Text)
  case thumbnail(Comic.Number, version: Text)
  /// A file of the web application.
  case asset(Text, version: Text)
  /// The web app manifest.
  case manifest
  /// The OpenAPI description.
  case api
  /// The oEmbed data of a page, by the page's full address.
  case embedding(of: Text)
  /// A comic on xkcd.com.
  case xkcd(Comic.Number)
  /// The page about a comic on explain xkcd.
  case explainXkcd(Comic.Number)
  /// The license of explain xkcd's texts.
  case explainLicence
  /// The license of xkcd's comics.
  case xkcdLicence
  /// A path of this site that a form came from.
  case local(Text)
  /// Another http or https address, validated by the caller.
  case external(Text)

  /// The reader's favorites in the order that they chose last.
  public static var favorites: Link { .favoriteList(.init()) }

  /// The display of the favorites.
  public struct Favorites: Equatable, Sendable {
    /// Whether favorites can be selected.
    public enum Selection: Equatable, Sendable {
      /// They can't.
      case off
      /// They can, and none is selected.
      case on
      /// They can, and all are selected.
      case all
    }

    /// The order; nil for the reader's last choice.
    public var order: FavoriteOrder?
    /// The words to search for, or empty.
    public var text: Text
    /// Whether favorites can be selected.
    public var selection: Selection
    /// The number of favorites to skip, for the next page.
    public var offset: Int

    /// Makes a display, by default of the first favorites.
    public init(
      order: FavoriteOrder? = nil,
      text: Text = .empty,
      selection: Selection = .off,
      offset: Int = 0
    ) {
      self.order = order
      self.text = text
      self.selection = selection
      self.offset = offset
    }
  }

  /// The fields of a search.
  public struct Search: Equatable, Sendable {
    /// The text that the reader typed.
    public var text: Text
    /// Whether to search all texts, or only titles and numbers; nil for the reader's setting.
    public var isDeep: Bool?
    /// The number of results to skip, for the next page.
    public var offset: Int
    /// Whether the reader is still typing.
    public var isTyping: Bool
    /// Whether a script asks for what the server finds besides, while it shows what the device has found.
    public var asksServer = false

    /// Makes a search, empty by default.
    public init(text: Text = .empty, isDeep: Bool? = nil, offset: Int = 0, isTyping: Bool = false) {
      self.text = text
      self.isDeep = isDeep
      self.offset = offset
      self.isTyping = isTyping
    }
  }

  /// The display of all comics.
  public struct Overview: Equatable, Sendable {
    public enum View: Equatable, Sendable {
      /// Thumbnails.
      case grid
      /// A line per comic.
      case list
      /// A square per comic that shows whether it was read.
      case map
    }

    public enum Filter: CaseIterable, Equatable, Sendable {
      case all
      /// Those that the reader has not read.
      case unread
      case favorites
      /// Those whose picture is stored on this device.
      case downloaded
    }

    public var view: View
    /// The only year to show; nil for all.
    public var year: Int?
    public var filter: Filter
    /// The only day to show, of any year; nil for all.
    public var day: DayOfYear?

    /// Makes a display, by default of all comics as thumbnails.
    public init(view: View = .grid, year: Int? = nil, filter: Filter = .all, day: DayOfYear? = nil) {
      self.view = view
      self.year = year
      self.filter = filter
      self.day = day
    }
  }

  /// The address, not yet escaped for HTML; a path is without the base path.
  public var address: Text {
    switch self {
    case .latest: "/"
    case .comic(let number): "/" + Text(decimal: number.value) + "/"
    case .listed(let number, let list): "/" + Text(decimal: number.value) + "/?" + list.field
    case .explanation(let number): "/" + Text(decimal: number.value) + "/explanation"
    case .missingNumber: "/404/"
    case .random: "/random"
    case .randomUnread: "/random?unread=1"
    case .randomListed(let list): "/random?" + list.field
    case .oldestUnread: "/unread"
    case .onThisDay: "/on-this-day"
    case .go: "/go"
    case .overview(let overview): overview.address
    case .topics: "/topics"
    case .topic(let key, let isUnreadOnly): "/topics/" + key + (isUnreadOnly ? "?unread=1" : .empty)
    case .history: "/history"
    case .resume: "/continue"
    case .start: "/open"
    case .favoriteList(let favorites): favorites.address
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
    case .clearReadMarks: "/read/clear"
    case .settings: "/settings"
    case .move: "/settings/move"
    case .pair: "/join"
    case .signIn: "/sign-in"
    case .devices: "/settings/devices"
    case .phone: "/settings/phone"
    case .serverStatus: "/settings/server"
    case .exportLibrary: "/settings/export"
    case .importLibrary: "/settings/import"
    case .feeds: "/feeds"
    case .about: "/about"
    case .picture(let number, let doubleSize, let version):
      "/comics/" + Text(decimal: number.value) + (doubleSize ? "/image@2x" : "/image")
        + Self.versioned(version)
    case .largerPicture(let number, let version):
      "/comics/" + Text(decimal: number.value) + "/larger" + Self.versioned(version)
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

  /// Whether an address is a path of this site, which its host puts below the base path.
  public static func isPath(_ address: Text) -> Bool {
    address.bytes.first == UInt8(ascii: "/") && address.bytes.dropFirst().first != UInt8(ascii: "/")
  }

  /// A comic, in the list from which it is opened if there is one.
  static func comic(_ number: Comic.Number, in list: ReadingList?) -> Link {
    list.map { .listed(number, $0) } ?? .comic(number)
  }

  private static func versioned(_ version: Text) -> Text {
    version.isEmpty ? .empty : "?v=" + version
  }

  private static func field(_ country: StoreCountry?) -> Text {
    country.map { "country=" + $0.text } ?? .empty
  }

  /// The non-empty fields, as a query.
  static func query(_ fields: Text...) -> Text {
    var query = Text.empty
    for field in fields where !field.isEmpty { query = query + (query.isEmpty ? "?" : "&") + field }
    return query
  }
}

// Each display has the parser of its fields beside the address that has them.

extension Link.Search {
  /// Parses the fields of a search.
  ///
  /// Browsers don't send an unchecked box, so a search form without it is not deep.
  init(_ fields: FormFields) {
    text = Text((fields["q"] ?? .empty).bytes.trimmed())
    isDeep = fields["deep"].map { $0 == "1" } ?? (fields["form"] == nil ? nil : false)
    offset = min(fields["offset"]?.number ?? 0, 10_000)
    isTyping = fields["typing"] == "1"
    asksServer = fields["more"] == "1"
  }

  /// Whether the search has an address: not while typing, without text, or if the reader's setting decides the depth.
  var hasAddress: Bool {
    self == Link.Search() || (!isTyping && !asksServer && !text.isEmpty && isDeep != nil)
  }

  fileprivate var address: Text {
    guard !text.isEmpty else { return "/search" }
    return "/search?q=" + FormEncoding.encode(text) + (isDeep == true ? "&deep=1" : "&deep=0")
      + (offset > 0 ? "&offset=" + Text(decimal: offset) : .empty)
  }
}

extension Link.Favorites {
  /// Parses the fields; unknown values count as missing.
  init(_ fields: FormFields) {
    self.init(
      order: fields["sort"].flatMap { FavoriteOrder(word: $0) },
      text: Text((fields["q"] ?? .empty).bytes.trimmed()),
      selection: fields["select"].map { $0 == "all" ? .all : .on } ?? .off,
      offset: min(fields["offset"]?.number ?? 0, 10_000)
    )
  }

  fileprivate var address: Text {
    "/favorites"
      + Link.query(
        order.map { "sort=" + $0.word } ?? .empty,
        text.isEmpty ? .empty : "q=" + FormEncoding.encode(text),
        selection == .off ? .empty : selection == .all ? "select=all" : "select=1",
        offset > 0 ? "offset=" + Text(decimal: offset) : .empty
      )
  }
}

extension Link.Overview {
  /// Parses the fields of an overview; nil if a value is unknown.
  init?(_ fields: FormFields) {
    self.init(
      filter: fields["unread"] == "1"
        ? .unread : fields["favorites"] == "1" ? .favorites : fields["downloaded"] == "1" ? .downloaded : .all
    )
    switch fields["view"] {
    case nil, "grid"?: view = .grid
    case "list"?: view = .list
    case "map"?: view = .map
    default: return nil
    }
    if let typed = fields["on"] {
      guard let typed = DayOfYear(typed) else { return nil }
      day = typed
    }
    if let typed = fields["year"], !typed.isEmpty {
      guard let typed = typed.number else { return nil }
      year = typed
    }
  }

  fileprivate var address: Text {
    var fields: [Text] = []
    if view == .list { fields.append("view=list") }
    if view == .map { fields.append("view=map") }
    if let year { fields.append("year=" + Text(decimal: year)) }
    switch filter {
    case .all: break
    case .unread: fields.append("unread=1")
    case .favorites: fields.append("favorites=1")
    case .downloaded: fields.append("downloaded=1")
    }
    if let day { fields.append("on=" + day.text) }
    return fields.reduce("/comics") { address, field in address + (address == "/comics" ? "?" : "&") + field }
  }
}
