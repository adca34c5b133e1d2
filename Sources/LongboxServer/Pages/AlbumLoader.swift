// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxUpstream

/// Makes the middles of pages about albums, of what the store and Wikipedia say.
struct AlbumLoader: Sendable {
  let catalog: Catalog
  /// How long a reader waits for the store.
  let timeout: Duration

  /// How long a page waits for an article, which stands behind a disclosure.
  private static let articleTimeout = Duration.seconds(3)

  private var albums: Albums { catalog.albums }
  private var isSampleBox: Bool { catalog.snapshot.archive.isSampleBox }

  /// The page where artists are looked for, with those that were found.
  func artists(_ name: Text, _ country: StoreCountry?, recent: [RecentArtist]) async -> AlbumPage {
    let country = country ?? recent.first?.country ?? albums.settings.country
    var shown = ShownArtists(term: name, country: country)
    shown.recent = recent
    if isSampleBox {
      let all = try? await albums.artists(named: "*", in: country, within: timeout)
      if case .here(let artists, _)? = all { shown.samples = artists }
    }
    let typed = name.description
    let isAsked = !typed.allSatisfy(\.isWhitespace)
    if isAsked, ITunesQuestion(artistsNamed: typed, in: country) == nil {
      shown.notice = .failed("That is too long for an artist’s name. Fewer words will do.", status: 400)
    } else if isAsked {
      do throws(CatalogError) {
        switch try await albums.artists(named: typed, in: country, within: timeout) {
        case .here(let artists, let age):
          shown.artists = artists
          shown.notice = Self.notice(of: age)
        case .waiting(let seconds): shown.notice = .waiting(seconds: seconds)
        }
      } catch {
        // A search finds no artist, or some; what is not there is the country's store.
        let status = if case .upstream(.notFound) = error { 404 } else { 503 }
        shown.notice = .failed(Text(string: error.description), status: status)
      }
    }
    return shown.page
  }

  /// An artist's albums.
  func discography(of artist: StoreID, _ country: StoreCountry?, _ selection: AlbumSelection) async
    -> AlbumPage
  {
    var shown = ShownDiscography(
      id: artist,
      country: country ?? albums.settings.country,
      kind: selection,
      showsCovers: albums.settings.showsArtwork,
      isSample: isSampleBox
    )
    do throws(CatalogError) {
      switch try await albums.discography(of: artist, in: shown.country, within: timeout) {
      case .here(let discography, let age):
        shown.discography = discography
        shown.notice = Self.notice(of: age)
      case .waiting(let seconds): shown.notice = .waiting(seconds: seconds)
      }
    } catch {
      shown.notice = Self.notice(of: error)
    }
    return shown.page
  }

  /// An album.
  func page(of album: StoreID, _ country: StoreCountry?, withArticle: Bool = true) async -> AlbumPage {
    await shown(album, country, withArticle: withArticle).page
  }

  /// An album that is stored, with its tracks; no source is asked.
  func storedPage(of album: StoreID, _ country: StoreCountry) async -> AlbumPage? {
    guard let details = await albums.storedAlbum(album, in: country) else { return nil }
    return ShownAlbum(id: album, country: country, details: details).page
  }

  /// What is known of an album, or why nothing is.
  func shown(_ album: StoreID, _ country: StoreCountry?, withArticle: Bool = true) async -> ShownAlbum {
    var shown = ShownAlbum(
      id: album,
      country: country ?? albums.settings.country,
      showsCover: albums.settings.showsArtwork,
      isSample: isSampleBox
    )
    do throws(CatalogError) {
      switch try await albums.album(album, in: shown.country, within: timeout) {
      case .here(let details, let age):
        shown.details = details
        shown.notice = Self.notice(of: age)
        if withArticle {
          let article = await albums.article(about: details.album, within: Self.articleTimeout)
          shown.article = ShownArticle(article, isSample: isSampleBox)
          shown.articleLanguage = albums.articleLanguage.map { Text(string: $0) } ?? .empty
        }
      case .waiting(let seconds): shown.notice = .waiting(seconds: seconds)
      }
    } catch {
      shown.notice = Self.notice(of: error)
    }
    return shown
  }

  private static func notice<Value>(of age: AlbumAnswer<Value>.Age) -> AlbumNotice? {
    age.isStale ? .old(since: Text(string: age.fetchedAt.spelledInUTC)) : nil
  }

  static func notice(of error: CatalogError) -> AlbumNotice {
    switch error {
    case .absent, .upstream(.notFound): .absent
    default: .failed(Text(string: error.description))
    }
  }
}

extension ShownArticle {
  /// What the catalog knows, as the pages take it.
  init(_ state: ArticleState, isSample: Bool) {
    switch state {
    case .off: self = .off
    case .here(let page, let isPicked): self = .here(page, isPicked: isPicked, isSample: isSample)
    case .unsure(let pages): self = .unsure(pages)
    case .dismissed(let pages): self = .dismissed(pages)
    case .none: self = .none
    case .unavailable: self = .unavailable
    }
  }
}
