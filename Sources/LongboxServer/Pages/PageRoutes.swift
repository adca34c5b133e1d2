// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import Synchronization

/// Answers every address that is a page, and every form.
struct PageRoutes: Sendable {
  let catalog: Catalog
  let libraries: Libraries
  let pages: RenderedPages
  let assetVersion: String
  let version: String
  let now: @Sendable () -> Date
  /// How long a reader waits for a source before the page says what is missing.
  let patience: Duration
  /// The longest form that is read, in bytes.
  let formLimit: Int

  /// Shows a page, or does what a form asks for.
  /// - Throws: `HTTPError` where a form comes from elsewhere or is too long, and `StoreError` where the disk fails.
  func answer(_ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    let cookie = LibraryCookie(of: request)
    if request.method == .post { return try await form(request, cookie ?? LibraryCookie()) }
    guard let cookie, let response = try await personal(request, cookie) else { return await shared(request) }
    return response
  }

  /// The page for a reader without a library, where it was rendered before; else nothing.
  func ready(_ address: String, _ head: HTTPRequest) -> Answer? {
    guard head.headerFields[.cookie] == nil else { return nil }
    let origin = PublicAddress(of: head)?.origin ?? ""
    return pages.page(at: address, origin: origin, generation: catalog.generation)?.answer(
      to: head.headerFields
    )
  }

  /// The page that every reader without a library gets: rendered once for all of them.
  private func shared(_ request: Hummingbird.Request) async -> Hummingbird.Response {
    let address = request.uri.string
    let generation = catalog.snapshot.generation
    let origin = PublicAddress(of: request)?.origin ?? ""
    if let page = pages.page(at: address, origin: origin, generation: generation) {
      return page.response(to: request)
    }
    let question = question(request)
    let (reply, generationOfReply) = await reply(to: question) { archive, shelf in
      var shelf = shelf
      shelf.origin = Text(string: origin)
      // Nobody is remembered, so nothing can be noted: this library goes away with the answer.
      var library = Replica(device: 0)
      return respond(to: question, archive: archive, library: &library, shelf: shelf)
    }
    guard reply.location.isEmpty else { return redirect(reply) }
    let page = payload(reply, cacheControl: "no-cache")
    if reply.needs.isEmpty, reply.status < 500 {
      pages.keep(page, at: address, origin: origin, generation: generationOfReply)
    }
    return page.response(to: request)
  }

  /// The page for a reader who has a library, or nothing where the cookie names none.
  private func personal(
    _ request: Hummingbird.Request,
    _ cookie: LibraryCookie
  ) async throws -> Hummingbird.Response? {
    var question = question(request)
    question.isRemembered = true
    let asked = question
    // What the page lacks is fetched first, for nobody's library should wait while a source is asked.
    let known = try await libraries.library(cookie.libraryName)
    let found = Mutex(Shelf())
    let (_, _) = await reply(to: asked) { archive, shelf in
      found.withLock { $0 = shelf }
      var library = Replica(library: known, device: 0)
      return respond(to: asked, archive: archive, library: &library, shelf: shelf)
    }
    let snapshot = catalog.snapshot
    var asRead = shelf(of: snapshot)
    found.withLock { found in
      asRead.explanations = found.explanations
      asRead.results = found.results
    }
    let shelf = asRead
    let reply = try await libraries.edit(cookie.libraryName, makes: false) { library in
      respond(to: asked, archive: snapshot.archive, library: &library, shelf: shelf)
    }
    guard let reply else { return nil }
    var response =
      reply.location.isEmpty
      ? payload(reply, cacheControl: "private, no-cache").response(to: request)
      : redirect(reply)
    response.headers.append(.init(name: .setCookie, value: cookie.header(isSecure: request.isSecure)))
    return response
  }

  /// Does what a form asks for.
  ///
  /// The first form of a reader makes the library, and gives the cookie.
  private func form(
    _ request: Hummingbird.Request,
    _ cookie: LibraryCookie
  ) async throws -> Hummingbird.Response {
    try SameOrigin.check(request)
    var question = question(request)
    question.method = .post
    question.body = Text(try await request.body.collect(upTo: formLimit).readableBytesView)
    question.isRemembered = true
    let asked = question
    let snapshot = catalog.snapshot
    let shelf = shelf(of: snapshot)
    let reply = try await libraries.edit(cookie.libraryName, makes: true) { library in
      respond(to: asked, archive: snapshot.archive, library: &library, shelf: shelf)
    }
    guard let reply else { throw HTTPError(.internalServerError) }
    var response =
      reply.location.isEmpty
      ? payload(reply, cacheControl: "no-store").response(to: request) : redirect(reply)
    if reply.status < 400 {
      response.headers.append(.init(name: .setCookie, value: cookie.header(isSecure: request.isSecure)))
    }
    return response
  }

  func question(_ request: Hummingbird.Request) -> LongboxPages.Request {
    LongboxPages.Request(
      path: Text(string: request.uri.path),
      query: Text(string: request.uri.query ?? ""),
      chance: .random(in: 0...UInt64.max),
      now: now().milliseconds,
      isAhead: request.isAhead
    )
  }

  /// Renders, and once more where something was lacking that could be fetched.
  /// - Returns: the reply, and the generation of what it was made of.
  private func reply(
    to question: LongboxPages.Request,
    _ render: (Archive, Shelf) -> LongboxPages.Response
  ) async -> (LongboxPages.Response, generation: Int) {
    var fetched = FetchedNeeds()
    let snapshot = catalog.snapshot
    let reply = render(snapshot.archive, shelf(of: snapshot))
    guard !reply.needs.isEmpty else { return (reply, snapshot.generation) }
    await fetch(reply.needs, into: &fetched)
    let (later, generation) = renderLater(with: fetched, render)
    // A comic that has come only now may have an explanation.
    let needs = later.needs.filter(\.isExplanation)
    guard !needs.isEmpty else { return (later, generation) }
    await fetch(needs, into: &fetched)
    return renderLater(with: fetched, render)
  }

  private func renderLater(
    with fetched: FetchedNeeds,
    _ render: (Archive, Shelf) -> LongboxPages.Response
  ) -> (LongboxPages.Response, generation: Int) {
    let snapshot = catalog.snapshot
    var shelf = shelf(of: snapshot)
    shelf.unavailable = fetched.unavailable
    shelf.explanations = fetched.explanations
    shelf.results = fetched.results
    return (render(snapshot.archive, shelf), min(snapshot.generation, fetched.generation))
  }

  private func redirect(_ reply: LongboxPages.Response) -> Hummingbird.Response {
    Hummingbird.Response(
      status: .init(code: reply.status),
      headers: [
        .location: reply.location.description,
        .cacheControl: reply.keeping == .never ? "no-store" : "no-cache",
      ]
    )
  }

  func payload(_ reply: LongboxPages.Response, cacheControl: String) -> Payload {
    Payload(
      status: .init(code: reply.status),
      reply.body,
      mediaType: "text/html; charset=utf-8",
      cacheControl: cacheControl,
      variesByCookie: true
    )
  }

  func shelf(of snapshot: Catalog.Snapshot) -> Shelf {
    var shelf = Shelf(
      source: snapshot.downSince.map { .down(since: Text(string: $0.spelledInUTC)) } ?? .reachable,
      progress: snapshot.progress.map {
        Shelf.Progress(texts: $0.texts, pictures: $0.pictures, explanations: $0.explanations, total: $0.total)
      },
      assetVersion: Text(string: assetVersion),
      version: Text(string: version)
    )
    shelf.hasFeeds = true
    return shelf
  }
}
