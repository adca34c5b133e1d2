// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxReaders
import LongboxStore

/// Serves album content for installed apps, album covers, and the album forms that need the server.
struct AlbumController: Controller {
  let catalog: Catalog
  let libraries: Libraries
  let pages: ServerPageRenderer
  let loader: AlbumLoader
  let basePath: BasePath
  /// Maximum wait for a cover.
  let timeout: Duration
  let now: @Sendable () -> Date

  private var albums: Albums { catalog.albums }

  var endpoints: [Endpoint] {
    [
      .get("albums/{album}/content.json") {
        try await content($1.parameters.require("album"), $0, $1.client)
      },
      .get("albums/{album}/cover") { try await cover($1.parameters.require("album"), $0, $1.client) },
      .get("albums/{album}/article") { _, _ in .seeOther(.savedAlbums) },
      .post("albums/{album}/article") { try await lookAgain($1.parameters.require("album"), $0, $1) },
      .get("albums/settings") { request, _ in try await settings(request) },
      .post("albums/settings") { try await saveSettings($0, $1) },
    ]
  }

  // Content for installed apps

  /// The body of an album's page, which the installed app puts into its own page frame.
  private struct Content: Encodable {
    struct Artist: Encodable {
      var id: String
      var name: String
    }

    struct Article: Encodable {
      struct Version: Encodable {
        var page: Int?
        var html: String
      }

      var language: String
      var versions: [Version]
    }

    var album: String
    var name: String
    var body: String
    /// Nil for albums by several artists.
    var artist: Artist?
    /// The part of the body about its article, for each choice of a reader.
    var article: Article?
    /// The track titles in order, for the quiz.
    var tracks: [String]
    var hasCover: Bool
    /// Whether a source did not answer, so that the app should request the album again soon.
    var isProvisional: Bool
  }

  private func content(
    _ name: String,
    _ request: Hummingbird.Request,
    _ client: ClientAddress
  ) async throws -> Hummingbird.Response {
    guard let id = StoreID(Text(string: name)) else { throw HTTPError(.notFound) }
    let fields = FormFields(Text(string: request.uri.query ?? ""))
    let country = fields["country"].flatMap { StoreCountry($0) }
    let language = try await library(of: request)?.articleLanguage
    let shown = await loader.shown(id, country, language: language, for: client.description)
    guard let details = shown.details else {
      let isAbsent = shown.notice == .absent
      throw HTTPError(isAbsent ? .notFound : .serviceUnavailable, message: "The album is not here.")
    }
    let page = shown.page
    let basePath = request.head.basePath(or: basePath)
    let content = Content(
      album: id.text.description,
      name: page.name.description,
      body: page.body.string(below: basePath.inPages),
      artist: details.album.artistID.map {
        .init(id: $0.text.description, name: details.album.artist.description)
      },
      article: page.articles.map { articles in
        .init(
          language: articles.language.description,
          versions: articles.versions.map {
            .init(page: $0.page, html: $0.html.string(below: basePath.inPages))
          }
        )
      },
      tracks: details.tracks.tracks.map { $0.title.description },
      hasCover: albums.settings.showsArtwork,
      isProvisional: shown.article == .unavailable || shown.notice != nil
    )
    return EncodedBody(
      [UInt8](try JSONEncoder.stable.encode(content)),
      mediaType: "application/json",
      cacheControl: "private, no-cache",
      variesByCookie: true
    )
    .response(to: request)
  }

  /// The reader's library; nil if there is none.
  private func library(of request: Hummingbird.Request) async throws -> Library? {
    guard let cookie = LibraryCookie(of: request) else { return nil }
    return try await libraries.library(cookie.libraryName)
  }

  /// Serves the cover, or a placeholder with an error status: installed apps don't store it, browsers still
  /// show it.
  private func cover(
    _ name: String,
    _ request: Hummingbird.Request,
    _ client: ClientAddress
  ) async throws -> Hummingbird.Response {
    guard let id = StoreID(Text(string: name)) else { throw HTTPError(.notFound) }
    let fields = FormFields(Text(string: request.uri.query ?? ""))
    let cover: PictureContent
    do throws(CatalogError) {
      let size = fields["size"] == "small" ? ArtworkSize.small : .cover
      cover = try await albums.cover(size, of: id, within: timeout, for: client.description)
    } catch {
      return EncodedBody(
        status: AlbumLoader.notice(of: error) == .absent ? .notFound : .serviceUnavailable,
        Array("\(MissingDrawing.cover)".utf8),
        mediaType: "image/svg+xml",
        cacheControl: "no-store"
      )
      .response(to: request)
    }
    return EncodedBody(cover.bytes, mediaType: cover.mediaType, cacheControl: "public, max-age=604800")
      .response(to: request)
  }

  /// Has Wikipedia asked again for the article about an album.
  private func lookAgain(
    _ name: String,
    _ request: Hummingbird.Request,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    guard let id = StoreID(Text(string: name)) else { return .seeOther(.savedAlbums) }
    let fields = try await FormFields(of: request, context)
    // Devices may still have pages of an earlier version, whose forms have other fields; those change nothing.
    if fields["again"] != nil {
      let language = albums.articleLanguage(chosen: try await library(of: request)?.articleLanguage)
      do throws(CatalogError) {
        try await albums.lookAgain(for: id, in: language)
      } catch {
        throw error.httpError
      }
    }
    return .seeOther(BackAddress.link(fields["back"]))
  }

  private func settings(_ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    let page = page(try await library(of: request), isSaved: false)
    return try await pages.show(page, to: request, as: LibraryCookie(of: request))
  }

  /// Saves the country, the language of articles or both, and shows the page that the form names, if any.
  private func saveSettings(
    _ request: Hummingbird.Request,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    let fields = try await FormFields(of: request, context)
    let chosen = try chosen(in: fields)
    let cookie = LibraryCookie(of: request) ?? LibraryCookie()
    let now = now().milliseconds
    let edited = try await libraries.edit(
      cookie.libraryName,
      makes: true,
      for: context.client,
      isSignedIn: context.isSignedIn
    ) { replica -> Library? in
      let editTime = replica.editTime(at: now)
      do throws(LibraryError) {
        if let country = chosen.country { try replica.library.setAlbumCountry(country, at: editTime) }
        if let language = chosen.language { try replica.library.setArticleLanguage(language, at: editTime) }
        return replica.library
      } catch {
        return nil
      }
    }
    guard let kept = edited ?? nil else {
      throw HTTPError(.init(code: 507), message: "Your library is full, so that this could not be kept.")
    }
    guard let back = fields["back"] else {
      return try await pages.show(page(kept, isSaved: true), to: request, as: cookie)
    }
    return Hummingbird.Response.seeOther(BackAddress.link(back)).setting(cookie, to: request)
  }

  /// The settings in a form.
  private func chosen(in fields: FormFields) throws(HTTPError) -> (country: StoreCountry?, language: Text?) {
    let (country, language) = (fields["country"], fields["language"])
    guard country != nil || language != nil else {
      throw HTTPError(.badRequest, message: "The form names neither a country nor a language. Choose one.")
    }
    let store = country.flatMap { StoreCountry($0) }
    guard country == nil || store != nil else {
      throw HTTPError(.badRequest, message: "The form names no country by its two letters, such as “us”.")
    }
    if let language, !albums.articleLanguages.contains("\(language)") {
      let known = albums.articleLanguages.joined(separator: ", ")
      let shown = "\(language)".prefix(20)
      throw HTTPError(
        .badRequest,
        message: known.isEmpty
          ? "This server has no articles, so there is no language to choose."
          : "This server has no articles in the language “\(shown)”. Choose one of: \(known)."
      )
    }
    return (store, language)
  }

  private func page(_ library: Library?, isSaved: Bool) -> ServerPage {
    .albumSettings(
      ShownAlbumSettings(
        country: library?.albumCountry ?? albums.settings.country,
        articleLanguage: albums.articleLanguage(chosen: library?.articleLanguage).map { Text(string: $0) },
        articleLanguages: albums.articleLanguages.map { Text(string: $0) },
        showsCovers: albums.settings.showsArtwork,
        isSaved: isSaved
      )
    )
  }
}
