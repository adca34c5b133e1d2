// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxStore
import LongboxUpstream

/// Answers what is asked about albums: pages, covers, and what devices keep.
struct AlbumRoutes: Sendable {
  let pages: PageRoutes
  let patience: Duration

  /// How long a page waits for an article, which stands behind a disclosure.
  private static let articlePatience = Duration.seconds(3)

  var albums: Albums { pages.catalog.albums }
  private var isSampleBox: Bool { pages.catalog.snapshot.archive.isSampleBox }

  func answer(_ route: AlbumRoute, _ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    switch route {
    case .find: try await find(request)
    case .artist(let name): try await artist(name, request)
    case .album(let name): try await album(name, request)
    case .content(let name): try await content(name, request)
    case .cover(let name): try await cover(name, request)
    case .settings: try await settings(request)
    case .quiz(let name): try await quiz(name, request)
    case .pick(let name): try await pick(name, request)
    }
  }

  // Pages

  private func find(_ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    let library = try await pages.library(of: request)
    let recent = library?.recentArtists ?? []
    let typed = Self.field("artist", of: request) ?? ""
    let country =
      Self.country(of: request) ?? library?.albumCountry ?? recent.first?.country ?? albums.settings.country
    var shown = ShownArtists(term: Text(string: typed), country: country)
    shown.recent = recent
    if isSampleBox {
      let all = try? await albums.artists(named: "*", in: country, within: patience)
      if case .here(let artists, _)? = all { shown.samples = artists }
    }
    let isAsked = !typed.allSatisfy(\.isWhitespace)
    if isAsked, ITunesQuestion(artistsNamed: typed, in: country) == nil {
      shown.notice = .failed("That is too long for an artist’s name. Fewer words will do.", status: 400)
    } else if isAsked {
      do throws(CatalogError) {
        switch try await albums.artists(named: typed, in: country, within: patience) {
        case .here(let artists, let age):
          shown.artists = artists
          shown.notice = Self.notice(of: age)
        case .waiting(let seconds): shown.notice = .waiting(seconds: seconds)
        }
      } catch {
        // A search finds no artist, or some; what is not there is the country's store.
        if case .upstream(.notFound) = error {
          shown.notice = .failed(Text(string: error.description), status: 404)
        } else {
          shown.notice = .failed(Text(string: error.description))
        }
      }
    }
    return try await pages.show(shown.page, reload: shown.notice?.reload, to: request)
  }

  private func artist(_ name: String, _ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    guard let id = StoreID(Text(string: name)) else { return try await pages.answer(request) }
    let country = Self.country(of: request) ?? albums.settings.country
    let kind = AlbumSelection(word: Text(string: Self.field("show", of: request) ?? "")) ?? .all
    var shown = ShownDiscography(
      id: id,
      country: country,
      kind: kind,
      showsCovers: albums.settings.showsArtwork,
      isSample: isSampleBox
    )
    do throws(CatalogError) {
      switch try await albums.discography(of: id, in: country, within: patience) {
      case .here(let discography, let age):
        shown.discography = discography
        shown.notice = Self.notice(of: age)
      case .waiting(let seconds): shown.notice = .waiting(seconds: seconds)
      }
    } catch {
      shown.notice = Self.notice(of: error)
    }
    let recent = shown.discography?.artist.map { RecentArtist(id: id, country: country, name: $0.name) }
    return try await pages.show(shown.page, reload: shown.notice?.reload, noting: recent, to: request)
  }

  private func album(_ name: String, _ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    guard let id = StoreID(Text(string: name)) else { return try await pages.answer(request) }
    let shown = try await shown(id, Self.country(of: request))
    return try await pages.show(shown.page, reload: shown.notice?.reload, to: request)
  }

  /// What is known of an album, and why there is nothing.
  func shown(
    _ id: StoreID,
    _ asked: StoreCountry?,
    withArticle: Bool = true
  ) async throws -> ShownAlbum {
    let country = asked ?? albums.settings.country
    var shown = ShownAlbum(
      id: id,
      country: country,
      showsCover: albums.settings.showsArtwork,
      isSample: isSampleBox
    )
    do throws(CatalogError) {
      switch try await albums.album(id, in: country, within: patience) {
      case .here(let details, let age):
        shown.details = details
        shown.notice = Self.notice(of: age)
        if withArticle {
          let article = await albums.article(about: details.album, within: Self.articlePatience)
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

  // What devices keep

  /// The middle of an album's page, for a device's own frame.
  private struct Content: Encodable {
    struct Artist: Encodable {
      var id: String
      var name: String
    }

    var album: String
    var name: String
    var body: String
    /// Whose it is, where it is one artist's.
    var artist: Artist?
    /// The titles of its tracks, in order: what a quiz is made of.
    var tracks: [String]
    /// Whether there is a cover to be fetched, too.
    var hasCover: Bool
    /// Whether a source did not answer now, so that the album should soon be asked for again.
    var isProvisional: Bool
  }

  private func content(_ name: String, _ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    guard let id = StoreID(Text(string: name)) else { throw HTTPError(.notFound) }
    let shown = try await shown(id, Self.country(of: request))
    guard let details = shown.details else {
      let isAbsent = shown.notice == .absent
      throw HTTPError(isAbsent ? .notFound : .serviceUnavailable, message: "The album is not here.")
    }
    let page = shown.page
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let content = Content(
      album: id.text.description,
      name: page.name.description,
      body: page.body.description,
      artist: details.album.artistID.map {
        .init(id: $0.text.description, name: details.album.artist.description)
      },
      tracks: details.tracks.tracks.map { $0.title.description },
      hasCover: albums.settings.showsArtwork,
      isProvisional: shown.article == .unavailable || shown.notice != nil
    )
    return Payload(
      [UInt8](try encoder.encode(content)),
      mediaType: "application/json",
      cacheControl: "no-cache"
    )
    .response(to: request)
  }

  // Covers

  /// Stands where a cover is missing: an empty sleeve.
  private static let sleeve = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200"><path fill="#d9d4c7" d="M0 0h200v200H0z"/>\
    <circle cx="100" cy="100" r="62" fill="none" stroke="#a39d8d" stroke-width="3"/>\
    <circle cx="100" cy="100" r="12" fill="none" stroke="#a39d8d" stroke-width="3"/></svg>
    """

  /// The cover, or a sleeve with a status that tells devices not to keep it; browsers draw it all the same.
  private func cover(_ name: String, _ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    guard let id = StoreID(Text(string: name)) else { throw HTTPError(.notFound) }
    let size: ArtworkSize = Self.field("size", of: request) == "small" ? .small : .cover
    let cover: PictureContent
    do throws(CatalogError) {
      cover = try await albums.cover(size, of: id, within: patience)
    } catch {
      return Payload(
        status: Self.notice(of: error) == .absent ? .notFound : .serviceUnavailable,
        Array(Self.sleeve.utf8),
        mediaType: "image/svg+xml",
        cacheControl: "no-store"
      )
      .response(to: request)
    }
    return Payload(cover.bytes, mediaType: cover.mediaType, cacheControl: "public, max-age=604800")
      .response(to: request)
  }

  // The reader's word

  private func pick(_ name: String, _ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    guard request.method == .post, let id = StoreID(Text(string: name)) else {
      return Hummingbird.Response(
        status: .seeOther,
        headers: [.location: Link.savedAlbums.address.description, .cacheControl: "no-store"]
      )
    }
    try SameOrigin.check(request)
    let form = Text(try await request.body.collect(upTo: pages.formLimit).readableBytesView)
    let fields = FormFields(form)
    let page = fields["page"] ?? .empty
    guard page.isEmpty || page.number != nil else { throw HTTPError(.badRequest) }
    do throws(CatalogError) {
      if fields["again"] != nil {
        try await albums.lookAgain(for: id)
      } else {
        try await albums.pickArticle(page.number, for: id)
      }
    } catch {
      throw error.httpError
    }
    return Hummingbird.Response(
      status: .seeOther,
      headers: [
        .location: BackAddress.link(fields["back"]).address.description, .cacheControl: "no-store",
      ]
    )
  }

  // Reading and telling

  private static func field(_ name: Substring, of request: Hummingbird.Request) -> String? {
    FormFields(Text(string: request.uri.query ?? ""))[Text(string: String(name))]?.description
  }

  static func country(of request: Hummingbird.Request) -> StoreCountry? {
    field("country", of: request).flatMap { StoreCountry(Text(string: $0)) }
  }

  private static func notice<Value>(of age: AlbumAnswer<Value>.Age) -> AlbumNotice? {
    age.isStale ? .old(since: Text(string: age.fetchedAt.spelledInUTC)) : nil
  }

  private static func notice(of error: CatalogError) -> AlbumNotice {
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
