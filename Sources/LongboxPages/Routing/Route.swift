// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A parsed request, from method, path and query; ``link`` gives the address.
///
/// A route says what is requested, not whether it exists.
public indirect enum Route: Equatable, Sendable {
  case latest
  /// A comic at its own address.
  case comic(Comic.Number)
  /// A comic in a list that is read through.
  case listed(Comic.Number, ReadingList)
  /// A number in the path that isn't spelled as in a comic's address, or can't be a comic.
  case number(Text)
  /// The page in place of comic 404.
  case missingNumber
  /// The full explanation of a comic.
  case explanation(Comic.Number)
  case random(unreadOnly: Bool)
  case randomListed(ReadingList)
  case oldestUnread
  /// The comics published on a day in other years; nil for today.
  case onThisDay(DayOfYear?)
  /// The number form, with its input.
  case goTo(Text)
  /// All comics.
  case overview(Link.Overview)
  /// All characters and topics.
  case topics
  /// The comics with a character or topic, by its key.
  case topic(Text, isUnreadOnly: Bool)
  /// The comics viewed last on this device.
  case history
  /// xkcd's own address of all comics, `/archive/`.
  case archive
  /// The comic that the reader viewed last.
  case resume
  /// Where Longbox opens, by the reader's setting.
  case start
  case favoriteList(Link.Favorites)
  /// The confirmation before a form that removes much.
  case confirmation(EditAddress)
  /// The search page, with or without a search.
  case search(Link.Search)
  case settings
  /// Licenses, and what the host stores.
  case about
  /// The reader's library as a file.
  case exportLibrary
  /// The import of a library's file: the form, or its submission.
  case importLibrary
  /// An address or text shared from another app, as query fields.
  case share(Text)
  /// The artist search; an empty name shows the form only.
  case artists(Text, StoreCountry?)
  /// An artist's albums.
  case discography(StoreID, StoreCountry?, AlbumSelection)
  case album(StoreID, StoreCountry?)
  case savedAlbums
  /// A quiz on an album: its start page, or a step sent by a form.
  case quiz(StoreID, StoreCountry?)
  /// A page or form of the server only.
  case server(ServerAddress)
  /// A form that changes the library.
  case form(EditAddress)
  /// The address of such a form, opened as a page.
  case formAddress(EditAddress)
  /// A form sent to a page that accepts none.
  case unknownForm
  /// Any other address.
  case unknown

  /// An address that only a server answers.
  public enum ServerAddress: CaseIterable, Equatable, Sendable {
    /// A link for pairing another device.
    case move
    /// The page that such a link opens.
    case pair
    case feeds
    /// The choice of iTunes Store country.
    case albumSettings
    /// The page that signs a device in.
    case signIn
    /// The signed-in devices and access keys.
    case devices
    /// The set-up for other devices.
    case phone
    /// What the checks of the server found.
    case serverStatus

    public var link: Link {
      switch self {
      case .move: .move
      case .pair: .pair
      case .feeds: .feeds
      case .albumSettings: .albumSettings
      case .signIn: .signIn
      case .devices: .devices
      case .phone: .phone
      case .serverStatus: .serverStatus
      }
    }
  }

  /// Parses a request to a site; what the site doesn't offer is unknown.
  public init(_ request: Request, on site: Site) {
    let route = Route(request)
    self = site.offers(route) ? route : request.method == .post ? .unknownForm : .unknown
  }

  public init(_ request: Request) {
    let parts = request.path.bytes.split(separator: UInt8(ascii: "/")).map { Text($0) }
    let page = Self.page(request, parts)
    switch request.method {
    case .get: self = page
    case .post:
      switch page {
      case .quiz, .server, .importLibrary: self = page
      case .formAddress(let address): self = .form(address)
      case .confirmation(let address): self = .form(address)
      default: self = .unknownForm
      }
    }
  }

  private static func page(_ request: Request, _ parts: [Text]) -> Route {
    if let address = EditAddress.allCases.first(where: { $0.path == request.path }) {
      return address.isConfirmed ? .confirmation(address) : .formAddress(address)
    }
    if let address = ServerAddress.allCases.first(where: { $0.link.address == request.path }) {
      return .server(address)
    }
    if request.path == Link.exportLibrary.address { return .exportLibrary }
    if request.path == Link.importLibrary.address { return .importLibrary }
    if parts.first == "albums" { return albums(request.fields, parts) }
    if parts.first == "topics" { return topics(request.fields, parts) }
    switch parts.count {
    case 0: return .latest
    case 1: return page(named: parts[0], request)
    case 2 where parts[1] == "explanation":
      let comic = parts[0].number.flatMap { Comic.Number($0) }
      return comic.map { Route.explanation($0) }.flatMap { $0.link?.address == request.path ? $0 : nil }
        ?? .unknown
    default: return .unknown
    }
  }

  private static func page(named name: Text, _ request: Request) -> Route {
    let fields = request.fields
    switch name {
    case "random":
      return fields["in"].flatMap { ReadingList($0) }.map { .randomListed($0) }
        ?? .random(unreadOnly: fields["unread"] == "1")
    case "unread": return .oldestUnread
    case "on-this-day": return .onThisDay(fields["date"].flatMap { DayOfYear(Text($0.bytes.suffix(5))) })
    case "go": return .goTo(Text((fields["number"] ?? .empty).bytes.trimmed()))
    case "comics": return Link.Overview(fields).map { .overview($0) } ?? .unknown
    case "history": return .history
    case "archive": return .archive
    case "continue": return .resume
    case "open": return .start
    case "favorites": return .favoriteList(Link.Favorites(fields))
    case "search": return .search(Link.Search(fields))
    case "settings": return .settings
    case "about": return .about
    case "share": return .share(request.query)
    default: return looksLikeNumber(name) ? number(name, request) : .unknown
    }
  }

  private static func looksLikeNumber(_ name: Text) -> Bool {
    var digits = name.bytes
    if digits.first == UInt8(ascii: "-") { digits = digits.dropFirst() }
    return !digits.isEmpty && digits.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
  }

  /// `/353/`, also with a list, or another spelling of a number.
  private static func number(_ name: Text, _ request: Request) -> Route {
    let path = request.path
    if path == Link.missingNumber.address { return .missingNumber }
    guard let number = name.number.flatMap({ Comic.Number($0) }), path == Link.comic(number).address else {
      return .number(name)
    }
    return request.fields["in"].flatMap { ReadingList($0) }.map { .listed(number, $0) } ?? .comic(number)
  }

  /// `/topics/black-hat`, or another spelling of the name.
  private static func topics(_ fields: FormFields, _ parts: [Text]) -> Route {
    guard parts.count > 1 else { return .topics }
    guard parts.count == 2, parts[1].count <= 3 * Topic.longestName else { return .unknown }
    let key = Topic.key(of: FormEncoding.decode(parts[1].bytes))
    return key.isEmpty ? .unknown : .topic(key, isUnreadOnly: fields["unread"] == "1")
  }

  private static func albums(_ fields: FormFields, _ parts: [Text]) -> Route {
    let country = fields["country"].flatMap { StoreCountry($0) }
    switch parts.count {
    case 1: return .artists(fields["artist"] ?? .empty, country)
    case 2 where parts[1] == "saved": return .savedAlbums
    case 2: return StoreID(parts[1]).map { .album($0, country) } ?? .unknown
    case 3 where parts[1] == "artists":
      let selection = fields["show"].flatMap { AlbumSelection(word: $0) } ?? .all
      return StoreID(parts[2]).map { .discography($0, country, selection) } ?? .unknown
    case 3 where parts[2] == "quiz": return StoreID(parts[1]).map { .quiz($0, country) } ?? .unknown
    default: return .unknown
    }
  }

  /// The address of the page; nil if it has none of its own.
  public var link: Link? {
    switch self {
    case .latest: .latest
    case .comic(let number): .comic(number)
    case .listed(let number, let list): .listed(number, list)
    case .missingNumber: .missingNumber
    case .explanation(let number): .explanation(number)
    case .random(let unreadOnly): unreadOnly ? .randomUnread : .random
    case .randomListed(let list): .randomListed(list)
    case .oldestUnread: .oldestUnread
    case .onThisDay(nil): .onThisDay
    case .overview(let overview): .overview(overview)
    case .topics: .topics
    case .topic(let key, let isUnreadOnly): .topic(key, isUnreadOnly: isUnreadOnly)
    case .history: .history
    case .resume: .resume
    case .start: .start
    case .favoriteList(let favorites): .favoriteList(favorites)
    case .confirmation(let address): .local(address.path)
    case .search(let search): search.hasAddress ? .search(search) : nil
    case .settings: .settings
    case .about: .about
    case .exportLibrary: .exportLibrary
    case .importLibrary: .importLibrary
    case .artists(let name, let country): .artists(name, country)
    case .discography(let artist, let country, let selection): .discography(artist, country, selection)
    case .album(let album, let country): .album(album, country)
    case .savedAlbums: .savedAlbums
    case .quiz(let album, let country): .quiz(album, country)
    case .server(let address): address.link
    case .onThisDay, .number, .goTo, .archive, .share, .form, .formAddress, .unknownForm, .unknown: nil
    }
  }
}
