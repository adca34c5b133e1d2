// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxUpstream

/// Loads the contents of album pages from the iTunes Store, or what is stored of it, and from Wikipedia.
///
/// Clients are named by their address: the questions of each take turns.
struct AlbumLoader: Sendable {
  let catalog: Catalog
  /// Maximum wait for the iTunes Store.
  let timeout: Duration

  /// Maximum wait for an article; it is short, because the article is in a closed disclosure.
  private static let articleTimeout = Duration.seconds(3)

  private var albums: Albums { catalog.albums }
  private var isSampleBox: Bool { catalog.snapshot.archive.isSampleBox }

  /// The page for searching artists, with the results.
  func artists(
    _ name: Text,
    _ country: StoreCountry?,
    recent: [RecentArtist],
    for asker: String
  ) async -> AlbumPage {
    let country = country ?? recent.first?.country ?? albums.settings.country
    let typed = ITunesQuestion.spelling(of: name.description)
    var shown = ShownArtists(term: Text(string: typed), country: country)
    shown.recent = recent
    if isSampleBox {
      // The sample box's store finds all artists for `*`.
      let all = try? await albums.artists(named: "*", in: country, within: timeout)
      if case .here(let artists, _)? = all { shown.samples = artists }
    }
    if !typed.isEmpty {
      do throws(CatalogError) {
        switch try await albums.artists(named: typed, in: country, within: timeout, for: asker) {
        case .here(let artists, let age):
          shown.artists = artists
          shown.notice = Self.notice(of: age)
        case .waiting(let seconds): shown.notice = .waiting(seconds: seconds)
        case .refused(let pause): shown.notice = .failed(Text(string: pause.sentence))
        }
      } catch {
        // A search without results is not an error; "not found" means that the country has no store.
        let status =
          switch error {
          case .invalid: 400
          case .upstream(.notFound): 404
          default: 503
          }
        shown.notice = .failed(Text(string: error.description), status: status)
      }
    }
    return shown.page
  }

  func discography(
    of artist: StoreID,
    _ country: StoreCountry?,
    _ selection: AlbumSelection,
    for asker: String
  ) async -> AlbumPage {
    var shown = ShownDiscography(
      id: artist,
      country: country ?? albums.settings.country,
      kind: selection,
      showsCovers: albums.settings.showsArtwork,
      isSample: isSampleBox
    )
    do throws(CatalogError) {
      switch try await albums.discography(of: artist, in: shown.country, within: timeout, for: asker) {
      case .here(let discography, let age):
        shown.discography = discography
        shown.notice = Self.notice(of: age)
      case .waiting(let seconds): shown.notice = .waiting(seconds: seconds)
      case .refused(let pause): shown.notice = .failed(Text(string: pause.sentence))
      }
    } catch {
      shown.notice = Self.notice(of: error)
    }
    return shown.page
  }

  func page(
    of album: StoreID,
    _ country: StoreCountry?,
    withArticle: Bool = true,
    language: Text? = nil,
    for asker: String
  ) async -> AlbumPage {
    await shown(album, country, withArticle: withArticle, language: language, for: asker).page
  }

  /// A stored album with its tracks; asks no source.
  func storedPage(of album: StoreID, _ country: StoreCountry) async -> AlbumPage? {
    guard let details = await albums.storedAlbum(album, in: country) else { return nil }
    return ShownAlbum(id: album, country: country, details: details).page
  }

  /// An album, or a notice why it is missing.
  /// - Parameters:
  ///   - album: the album's number.
  ///   - country: the country of the store; nil for the operator's.
  ///   - withArticle: whether Wikipedia is asked.
  ///   - language: the language of articles that the reader chose, if any.
  ///   - asker: the address of the client that asks.
  func shown(
    _ album: StoreID,
    _ country: StoreCountry?,
    withArticle: Bool = true,
    language: Text? = nil,
    for asker: String
  ) async -> ShownAlbum {
    var shown = ShownAlbum(
      id: album,
      country: country ?? albums.settings.country,
      showsCover: albums.settings.showsArtwork,
      isSample: isSampleBox
    )
    do throws(CatalogError) {
      switch try await albums.album(album, in: shown.country, within: timeout, for: asker) {
      case .here(let details, let age):
        shown.details = details
        shown.notice = Self.notice(of: age)
        if withArticle {
          // The sample box has articles in one language.
          let language = albums.articleLanguage(chosen: isSampleBox ? nil : language)
          shown.offer(
            await albums.article(
              about: details.album,
              in: language,
              within: Self.articleTimeout,
              for: asker
            )
          )
          shown.articleLanguage = language.map { Text(string: $0) } ?? .empty
          if !isSampleBox { shown.articleLanguages = albums.articleLanguages.map { Text(string: $0) } }
        }
      case .waiting(let seconds): shown.notice = .waiting(seconds: seconds)
      case .refused(let pause): shown.notice = .failed(Text(string: pause.sentence))
      }
    } catch {
      shown.notice = Self.notice(of: error)
    }
    return shown
  }

  private static func notice<Value>(of age: AlbumLookup<Value>.Age) -> AlbumNotice? {
    age.isStale ? .old(since: Text(string: age.fetchedAt.spelledInUTC)) : nil
  }

  static func notice(of error: CatalogError) -> AlbumNotice {
    switch error {
    case .absent, .upstream(.notFound): .absent
    default: .failed(Text(string: error.description))
    }
  }
}

extension ShownAlbum {
  /// Shows an article, and lets readers choose another one.
  fileprivate mutating func offer(_ state: ArticleState) {
    switch state {
    case .off: article = .off
    case .sure(let page, let others):
      article = .here(page, isPicked: false, isSample: isSample)
      if !isSample { offer([page] + others, dismissed: others) }
    case .unsure(let pages):
      article = .unsure(pages)
      offer(pages, dismissed: [])
    case .none: article = .none
    case .unavailable: article = .unavailable
    }
  }

  private mutating func offer(_ pages: [ArticleCandidate], dismissed others: [ArticleCandidate]) {
    articleChoices = [.init(0, .dismissed(others))]
    for page in pages { articleChoices.append(.init(page.id, .here(page, isPicked: true, isSample: false))) }
  }
}
