// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Data that a page needs and that isn't in memory; a host has a loader for each kind.
public indirect enum Need: Equatable, Sendable {
  /// The newest comic, if the archive is empty.
  case latest
  /// The text of a comic.
  case comic(Comic.Number)
  /// The size of a comic's picture, for the layout.
  case picture(Comic.Number)
  /// The stored lead of a comic's explanation; nothing is fetched.
  case explanationLead(Comic.Number)
  /// The full explanation of a comic.
  case explanation(Comic.Number)
  /// The plain text of a comic's explanation for a snippet, if available.
  case explanationText(Comic.Number)
  /// The results of a search.
  case search(SearchQuestion)
  /// Artists by name, and the artists that the reader visited recently.
  case artists(Text, StoreCountry?, recent: [RecentArtist])
  /// An artist's albums.
  case discography(StoreID, StoreCountry?, AlbumSelection)
  /// An album, for its page.
  case album(StoreID, StoreCountry?)
  /// An album with its tracks, for a quiz.
  case quizAlbum(StoreID, StoreCountry?)
  /// The stored album with its tracks; nothing is fetched.
  case storedAlbum(StoreID, StoreCountry)
  /// The comics whose picture is stored on this device.
  case storedComics
  /// A response that only the server can give.
  case server
}

/// The values a host has loaded for a page, one for each ``Need``.
public struct Loaded: Sendable {
  /// The result of loading a need.
  public indirect enum Value: Equatable, Sendable {
    /// The archive contains it now.
    case archived
    /// The lead of an explanation, rendered by the server; empty if none is available.
    case lead(HTML)
    /// A full explanation, rendered by the server.
    case explanation(HTML)
    /// The plain text of an explanation.
    case text(Text)
    case results(SearchResults)
    /// The main part of a page about albums.
    case album(AlbumPage)
    case comics(ComicSet)
    /// The source has no such thing.
    case absent
    /// It isn't available now.
    case unavailable
  }

  private var values: [(need: Need, value: Value)] = []

  /// Makes an empty set of values.
  public init() {}

  public mutating func insert(_ value: Value, for need: Need) {
    values.append((need, value))
  }

  /// The loaded value of a need; nil if loading was not tried.
  public subscript(need: Need) -> Value? { values.first { $0.need == need }?.value }

  /// The comics whose picture is stored on this device; nil if that was not asked.
  var storedComics: ComicSet? {
    if case .comics(let comics)? = self[.storedComics] { comics } else { nil }
  }

  /// The lead of a comic's explanation, empty if there is none; nil if loading was not tried.
  func lead(of comic: Comic.Number) -> HTML? {
    guard let value = self[.explanationLead(comic)] else { return nil }
    guard case .lead(let html) = value else { return HTML() }
    return html
  }
}

/// The loop in which a host loads what a page needs: in rounds, because loaded data can reveal further needs.
///
///     var gathering = Gathering(for: route, in: request)
///     while true {
///       let needs = gathering.next(archive: archive, library: library)
///       if needs.isEmpty { break }
///       for need in needs { gathering.insert(load(need), for: need) }
///     }
///     render(route, in: request, …, loaded: gathering.loaded, …)
public struct Gathering: Sendable {
  /// The maximum number of rounds; the host of a device has the same, in `Web/src/worker/respond.js`.
  public static var mostRounds: Int { 6 }

  private let route: Route
  private let request: Request
  private var rounds = 0
  /// What is loaded so far.
  public private(set) var loaded = Loaded()

  /// Starts without anything loaded.
  public init(for route: Route, in request: Request) {
    self.route = route
    self.request = request
  }

  /// What to load in the next round; empty if the page can be rendered, or after the last round.
  public mutating func next(archive: Archive, library: Library, isOffline: Bool = false) -> [Need] {
    guard rounds < Self.mostRounds else { return [] }
    rounds += 1
    return needs(
      of: route,
      in: request,
      archive: archive,
      library: library,
      loaded: loaded,
      isOffline: isOffline
    )
  }

  /// Stores what was loaded for a need; it isn't needed again.
  public mutating func insert(_ value: Loaded.Value, for need: Need) { loaded.insert(value, for: need) }
}

/// Finds what a page still needs to load; renders nothing.
///
/// ``Gathering`` calls it in each round.
/// - Parameter isOffline: whether the host is a device without a connection, which offers only what it has.
/// - Returns: what to load next; empty if the page can be rendered.
public func needs(
  of route: Route,
  in request: Request,
  archive: Archive,
  library: Library,
  loaded: Loaded,
  isOffline: Bool = false
) -> [Need] {
  NeedList(request: request, archive: archive, library: library, loaded: loaded, isOffline: isOffline)
    .needs(of: route)
    .filter { loaded[$0] == nil }
}

private struct NeedList {
  let request: Request
  let archive: Archive
  let library: Library
  let loaded: Loaded
  let isOffline: Bool

  func needs(of route: Route) -> [Need] {
    switch route {
    case .latest: archive.latest.map { needs(of: $0) } ?? only(.latest)
    case .comic(let number): needs(of: number)
    case .listed(let number, let list):
      needs(of: number) + list.needs(archive: archive, library: library)
    case .randomListed(let list): archive.latest == nil ? only(.latest) : random(in: list)
    case .random, .oldestUnread: archive.latest == nil ? only(.latest) : isOffline ? only(.storedComics) : []
    case .overview(let overview): overview.filter == .downloaded ? only(.storedComics) : []
    case .number, .missingNumber, .goTo: archive.latest == nil ? only(.latest) : []
    case .explanation(let number): explanation(of: number)
    case .search(let fields):
      ComicSearch(fields, archive: archive, library: library).question.map { [.search($0)] } ?? []
    case .artists(let name, let country):
      [.artists(name, country ?? library.albumCountry, recent: library.recentArtists)]
    case .discography(let artist, let country, let selection): [.discography(artist, country, selection)]
    case .album(let album, let country): [.album(album, country)]
    case .quiz(let album, let country): quiz(on: album, country)
    case .server: only(.server)
    case .topics, .topic, .favoriteList, .history, .onThisDay, .archive, .resume, .start, .confirmation,
      .settings, .about, .share, .savedAlbums, .exportLibrary, .importLibrary, .form, .formAddress,
      .unknownForm, .unknown:
      []
    }
  }

  /// What a list needs, and offline the comics to choose from.
  private func random(in list: ReadingList) -> [Need] {
    let needs = list.needs(archive: archive, library: library)
    return !isOffline || needs.contains(.storedComics) ? needs : needs + only(.storedComics)
  }

  private func needs(of number: Comic.Number) -> [Need] {
    if let comic = archive.comic(number) { return needs(of: comic) }
    guard let latest = archive.latest?.number else { return only(.latest) }
    return number <= latest ? [.comic(number)] : []
  }

  /// The lead of the explanation, the picture's size, and the predecessor of an interactive comic, because its
  /// record may have the predecessor's picture.
  private func needs(of comic: ArchivedComic) -> [Need] {
    var needs: [Need] = []
    if comic.isInteractive, let previous = comic.number.previous, archive.comic(previous) == nil {
      needs.append(.comic(previous))
    }
    if ComicPage.picture(of: comic, in: archive) == .unknown { needs.append(.picture(comic.number)) }
    needs.append(.explanationLead(comic.number))
    return needs
  }

  private func explanation(of number: Comic.Number) -> [Need] {
    if archive.comic(number) != nil { return [.explanation(number)] }
    return archive.latest.map { number <= $0.number } == true ? [.comic(number)] : []
  }

  /// The album, and for *Which album?* the saved albums of the same artist.
  private func quiz(on album: StoreID, _ country: StoreCountry?) -> [Need] {
    let need = Need.quizAlbum(album, country)
    guard case .album(let page)? = loaded[need], let tracks = page.tracks, QuizVisit.needsArtist(request)
    else {
      return [need]
    }
    return tracks.otherAlbums(in: library)
  }

  /// An array of one need, made at run time.
  ///
  /// Swift 6.3 for WebAssembly stores the literal `[.server]` as `[.latest]`.
  @inline(never) private func only(_ need: Need) -> [Need] { [need] }
}
