// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages

extension AlbumRoutes {
  /// Shows what a reader can decide about albums, or takes it from the form.
  func settings(_ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    guard request.method == .post else {
      let library = try await pages.library(of: request)
      return try await show(library?.albumCountry, isSaved: false, request)
    }
    try SameOrigin.check(request)
    let form = Text(try await request.body.collect(upTo: pages.formLimit).readableBytesView)
    guard let country = FormFields(form)["country"].flatMap({ StoreCountry($0) }) else {
      throw HTTPError(.badRequest, message: "The form names no country.")
    }
    let cookie = LibraryCookie(of: request) ?? LibraryCookie()
    let now = pages.now().milliseconds
    let isKept = try await pages.libraries.edit(cookie.libraryName, makes: true) { replica in
      do throws(LibraryError) {
        try replica.library.setAlbumCountry(country, at: replica.moment(at: now))
        return true
      } catch {
        return false
      }
    }
    guard isKept == true else {
      throw HTTPError(.init(code: 507), message: "Your library is full, so that this could not be kept.")
    }
    var response = try await show(country, isSaved: true, request)
    response.headers.append(
      .init(name: .setCookie, value: cookie.header(isSecure: request.isSecure))
    )
    return response
  }

  private func show(
    _ country: StoreCountry?,
    isSaved: Bool,
    _ request: Hummingbird.Request
  ) async throws -> Hummingbird.Response {
    let shown = ShownAlbumSettings(
      country: country ?? albums.settings.country,
      articleLanguage: albums.articleLanguage.map { Text(string: $0) },
      showsCovers: albums.settings.showsArtwork,
      isSaved: isSaved
    )
    return try await pages.show(shown.page, reload: nil, to: request)
  }
}
