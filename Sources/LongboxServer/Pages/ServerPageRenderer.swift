// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxReaders

/// Renders pages about things that only the server knows.
struct ServerPageRenderer: ServerPageRendering {
  let catalog: Catalog
  let libraries: Libraries
  let contexts: PageContexts
  let now: @Sendable () -> Date

  func show(
    _ page: ServerPage,
    to request: Hummingbird.Request,
    as cookie: LibraryCookie?
  ) async throws -> Hummingbird.Response {
    var asked = LongboxPages.Request(request, at: now())
    asked.isRemembered = cookie != nil
    var library = Library()
    if let cookie { library = try await libraries.library(cookie.libraryName) }
    let snapshot = catalog.snapshot
    let reply = render(
      page,
      in: asked,
      archive: snapshot.archive,
      library: library,
      context: contexts.context(of: snapshot)
    )
    return reply.encodedBody("private, no-store").response(to: request)
      .setting(cookie, to: request)
  }
}
