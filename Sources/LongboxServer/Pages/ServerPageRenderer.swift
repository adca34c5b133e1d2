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

/// Renders pages about things that only the server knows, in the common page frame.
struct ServerPageRenderer: Sendable {
  let catalog: Catalog
  let libraries: Libraries
  let contexts: PageContexts
  let now: @Sendable () -> Date

  /// Renders a page with the settings of the library that a cookie names; the response sets the cookie again.
  /// - Throws: `StoreError`.
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
      context: contexts.context(of: snapshot, for: request.head)
    )
    return reply.encodedBody("private, no-store").response(to: request)
      .setting(cookie, to: request)
  }

  /// Shows why a form's change was not stored, and notes it in the log.
  /// - Throws: the error if it is neither `StoreError` nor `TooManyNew`.
  func showNotStored(
    _ error: any Error,
    to request: Hummingbird.Request,
    from client: ClientAddress,
    noting incidents: IncidentLog
  ) async throws -> Hummingbird.Response {
    let problem: StorageProblem
    let retryAfter: Int
    switch error {
    case let error as StoreError:
      incidents.note(.notStored, error.description)
      problem = error.storageProblem
      retryAfter = error.retryAfter
    case let error as TooManyNew:
      incidents.note(.newLibraries, "\(client)")
      problem = .tooManyNew
      retryAfter = error.retryAfter
    default: throw error
    }
    var response = try await show(.notStored(problem), to: request, as: nil)
    // A full disk has no time at which trying again makes sense.
    if response.status.code != 507 { response.headers[.retryAfter] = "\(retryAfter)" }
    return response
  }
}
