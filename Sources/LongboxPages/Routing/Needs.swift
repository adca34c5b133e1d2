// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Finds what a page still needs to load; renders nothing.
///
/// A host loads each need and calls again until none is left, because loaded data can reveal further needs.
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
