// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages

extension PageRoutes {
  /// Shows a page about the server's copy of a library, in the frame of all other pages.
  /// - Parameters:
  ///   - page: what it says.
  ///   - request: what was asked for.
  ///   - cookie: the library whose looks the page has; its cookie goes with the answer.
  /// - Throws: `StoreError`.
  func show(
    _ page: ServerPage,
    to request: Hummingbird.Request,
    as cookie: LibraryCookie?
  ) async throws -> Hummingbird.Response {
    var question = question(request)
    question.isRemembered = cookie != nil
    var library = Library()
    if let cookie { library = try await libraries.library(cookie.libraryName) }
    let snapshot = catalog.snapshot
    let reply = LongboxPages.respond(
      with: page,
      to: question,
      archive: snapshot.archive,
      library: library,
      shelf: shelf(of: snapshot)
    )
    var response = payload(reply, cacheControl: "private, no-store").response(to: request)
    if let cookie {
      response.headers.append(.init(name: .setCookie, value: cookie.header(isSecure: request.isSecure)))
    }
    return response
  }

  /// The way back to the settings, for who opens an address where only a form leads.
  func redirectToSettings() -> Hummingbird.Response {
    Hummingbird.Response(
      status: .seeOther,
      headers: [.location: Link.settings.address.description, .cacheControl: "no-store"]
    )
  }
}
