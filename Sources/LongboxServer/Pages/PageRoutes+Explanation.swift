// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages

extension PageRoutes {
  /// Shows the whole explanation of a comic, for which explain xkcd is waited for: `/353/explanation`.
  /// - Throws: `StoreError`.
  func explanation(_ name: String, _ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    guard let number = Int(name).flatMap({ Comic.Number($0) }),
      request.uri.path == Link.explanation(number).address.description
    else { return try await answer(request) }
    let cookie = LibraryCookie(of: request)
    let address = request.uri.path
    if cookie == nil, let page = pages.page(at: address, generation: catalog.generation) {
      return page.response(to: request)
    }
    try? await catalog.ensure(number, within: patience)
    // Taken before the explanation, so that a page of older things can't be kept as one of newer.
    let generation = catalog.generation
    guard let comic = catalog.snapshot.archive.comic(number) else { return try await answer(request) }
    let state = (try? await catalog.explanation(of: number, within: patience)) ?? .unknown
    let snapshot = catalog.snapshot
    var question = question(request)
    question.isRemembered = cookie != nil
    var library = Library()
    if let cookie { library = try await libraries.library(cookie.libraryName) }
    let shown = ShownExplanation(of: number, .init(state), isSample: snapshot.archive.isSampleBox)
    let reply = LongboxPages.respond(
      with: .explanation(shown, name: comic.title),
      to: question,
      archive: snapshot.archive,
      library: library,
      shelf: shelf(of: snapshot)
    )
    let page = payload(reply, cacheControl: cookie == nil ? "no-cache" : "private, no-cache")
    if cookie == nil, reply.status == 200, catalog.generation == generation {
      pages.keep(page, at: address, generation: generation)
    }
    return page.response(to: request)
  }
}
