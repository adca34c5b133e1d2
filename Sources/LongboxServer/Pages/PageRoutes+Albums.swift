// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages

extension PageRoutes {
  /// The library that a request's cookie names; nothing where it names none.
  func library(of request: Hummingbird.Request) async throws -> Library? {
    guard let cookie = LibraryCookie(of: request) else { return nil }
    return try await libraries.library(cookie.libraryName)
  }

  /// Shows a page about albums, in the frame of all other pages.
  /// - Parameters:
  ///   - page: the page.
  ///   - reload: after how many seconds the browser should ask again.
  ///   - artist: the artist who was looked at; noted where the reader is remembered.
  ///   - request: what was asked for.
  /// - Throws: `StoreError`.
  func show(
    _ page: AlbumPage,
    reload: Int?,
    noting artist: RecentArtist? = nil,
    to request: Hummingbird.Request
  ) async throws -> Hummingbird.Response {
    let snapshot = catalog.snapshot
    var shelf = shelf(of: snapshot)
    shelf.albumPage = page
    var question = question(request)
    let cookie = LibraryCookie(of: request)
    question.isRemembered = cookie != nil
    let (asked, at) = (question, shelf)
    @Sendable func respond(_ library: inout Replica) -> LongboxPages.Response {
      if let artist, asked.isRemembered {
        // A full library is no reason not to show an artist.
        try? library.library.noteRecent(artist, at: library.moment(at: asked.now))
      }
      return LongboxPages.respond(to: asked, archive: snapshot.archive, library: &library, shelf: at)
    }
    var reply: LongboxPages.Response?
    if let cookie { reply = try await libraries.edit(cookie.libraryName, makes: false, respond) }
    var stranger = Replica(device: 0)
    let shown = reply ?? respond(&stranger)
    let keeping = cookie == nil ? "no-cache" : "private, no-cache"
    var response = payload(shown, cacheControl: keeping).response(to: request)
    if let cookie, reply != nil {
      response.headers.append(.init(name: .setCookie, value: cookie.header(isSecure: request.isSecure)))
    }
    // A header and not an element: assistive technology is told nothing by it, and a script-free page needs no script.
    if let reload, let name = HTTPField.Name("Refresh") { response.headers[name] = "\(reload)" }
    return response
  }
}
