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

/// Serves all pages and forms: parses the route, loads what the page needs, renders once, and commits.
struct PageController: Controller {
  /// Renders a page; a test replaces it to count the calls.
  typealias Render =
    @Sendable (Route, LongboxPages.Request, Archive, inout Replica, Loaded, PageContext) ->
    LongboxPages.Response

  let catalog: Catalog
  let libraries: Libraries
  let pages: RenderedPages
  let loader: NeedLoader
  let heavyWork: HeavyWork
  let contexts: PageContexts
  let site: SiteAddress
  let now: @Sendable () -> Date
  /// Logs changes that could not be stored, and libraries that could not be started.
  let incidents: IncidentLog
  /// Renders the page for a form that could not be stored.
  let serverPages: ServerPageRenderer
  /// The maximum length of a form, in bytes.
  let formLimit: Int
  let render: Render

  static let standardRender: Render = {
    LongboxPages.render($0, in: $1, archive: $2, library: &$3, loaded: $4, context: $5)
  }

  /// Every address without another controller is a page; an unknown one is a page with status 404.
  var endpoints: [Endpoint] {
    [
      .get("**", cached: { cached($0.address, $0.request) }) { try await answer($0, $1) },
      .post("**", where: { Self.takesForm(at: $0) }) { try await answer($0, $1) },
    ]
  }

  private static func takesForm(at path: String) -> Bool {
    Route(LongboxPages.Request(method: .post, path: Text(string: path))) != .unknownForm
  }

  /// Handles a form, or renders a page: the reader's own, or the one that all readers without a library share.
  /// - Throws: `HTTPError` if a form comes from another site or is too long; `StoreError` if the disk fails.
  func answer(
    _ request: Hummingbird.Request,
    _ serverContext: ServerContext
  ) async throws -> Hummingbird.Response {
    var asked = LongboxPages.Request(request, at: now())
    let cookie = LibraryCookie(of: request)
    if request.method == .post {
      try SameOrigin.check(request)
      asked.method = .post
      asked.body = Text(try await request.body.collect(upTo: formLimit).readableBytesView)
      do {
        return try await submit(request, asked, as: cookie ?? LibraryCookie(), serverContext)
      } catch {
        let client = serverContext.client
        return try await serverPages.showNotStored(error, to: request, from: client, noting: incidents)
      }
    } else if let cookie, let replica = try await libraries.storedReplica(cookie.libraryName) {
      return try await personal(request, asked, as: cookie, replica, serverContext.client)
    }
    return try await shared(request, asked, serverContext.client)
  }

  /// The page for readers without a library, if it is in memory.
  private func cached(_ address: String, _ head: HTTPRequest) -> CachedResponse? {
    guard !LibraryCookie.mayBe(in: head) else { return nil }
    return pages.page(at: address, variant: variant(of: head), generation: catalog.generation)?.response(
      to: head.headerFields
    )
  }

  /// What a page for readers without a library depends on, besides its address and the comics.
  private func variant(of head: HTTPRequest) -> String {
    let origin = site.address(of: head)?.root ?? ""
    let prefix = head.namedBasePath.map { " \($0.text)" } ?? ""
    return origin + prefix + (contexts.mayLackPath(head) ? " forwarded" : "")
  }

  /// Applies a form to the newest library, which it creates if there is none.
  private func submit(
    _ request: Hummingbird.Request,
    _ asked: LongboxPages.Request,
    as cookie: LibraryCookie,
    _ serverContext: ServerContext
  ) async throws -> Hummingbird.Response {
    let question = asked.remembered
    let route = Route(question)
    // Everything is loaded first, so that the library is not locked for the reader's other requests in the
    // meantime.
    let known = try await libraries.rememberedReplica(cookie.libraryName)?.library ?? Library()
    let gathered = try await gather(route, question, known, serverContext.client)
    let context = context(of: gathered, for: request)
    let render = render
    let outcome = try await libraries.edit(
      cookie.libraryName,
      makes: true,
      for: serverContext.client,
      isSignedIn: serverContext.isSignedIn
    ) { replica in
      let reply = render(route, question, gathered.snapshot.archive, &replica, gathered.loaded, context)
      return (reply: reply, hasLibrary: !replica.library.entries.isEmpty)
    }
    guard let outcome else { throw HTTPError(.internalServerError) }
    return response(outcome.reply, "no-store", to: request)
      .setting(outcome.hasLibrary ? cookie : nil, to: request)
  }

  /// Renders a page with a reader's library, then stores the place and other notes that the page made.
  private func personal(
    _ request: Hummingbird.Request,
    _ asked: LongboxPages.Request,
    as cookie: LibraryCookie,
    _ stored: Replica,
    _ client: ClientAddress
  ) async throws -> Hummingbird.Response {
    let question = asked.remembered
    let route = Route(question)
    let gathered = try await gather(route, question, stored.library, client)
    let context = context(of: gathered, for: request)
    let render = render
    let isHeavy = gathered.isSearch || stored.library.entries.count > HeavyWork.largeLibrary
    let (library, page) = try await heavyWork.run(for: client, if: isHeavy) {
      var replica = stored
      let reply = render(route, question, gathered.snapshot.archive, &replica, gathered.loaded, context)
      return (replica.library, response(reply, "private, no-cache", to: request))
    }
    let before = stored.library.sequence
    if library.sequence != before {
      await note(library.entries(writtenAfter: before), in: cookie.libraryName, for: client)
    }
    return page.setting(library.entries.isEmpty ? nil : cookie, to: request)
  }

  /// The context of a personal page, which never names the server's address.
  private func context(of gathered: Gathered, for request: Hummingbird.Request) -> PageContext {
    contexts.context(
      of: gathered.snapshot,
      for: request.head,
      isLocal: site.address(of: request.head)?.isLoopback ?? false
    )
  }

  /// Stores what a page noted about its reader, or logs why not.
  private func note(_ written: Library, in name: LibraryName, for client: ClientAddress) async {
    await libraries.note(written, in: name, for: client) { [incidents] error in
      incidents.note(.notStored, "\(error)")
    }
  }

  /// The page for readers without a library, rendered once for all of them.
  private func shared(
    _ request: Hummingbird.Request,
    _ asked: LongboxPages.Request,
    _ client: ClientAddress
  ) async throws -> Hummingbird.Response {
    let address = request.uri.string
    let reached = site.address(of: request.head)
    let variant = variant(of: request.head)
    if let page = pages.page(at: address, variant: variant, generation: catalog.generation) {
      return page.response(to: request)
    }
    let route = Route(asked)
    let gathered = try await gather(route, asked, Library(), client)
    let context = contexts.context(
      of: gathered.snapshot,
      for: request.head,
      origin: reached?.root ?? "",
      isLocal: reached?.isLoopback ?? false
    )
    let (reply, page) = try await heavyWork.run(for: client, if: gathered.isSearch) {
      // Readers without a library are not tracked: this replica is discarded with the response.
      var replica = Replica(device: 0)
      let reply = render(route, asked, gathered.snapshot.archive, &replica, gathered.loaded, context)
      let isKept = reply.location.isEmpty && reply.caching == .revalidate && reply.status < 500
      return (reply, isKept && gathered.generation != nil ? reply.encodedBody("no-cache") : nil)
    }
    if let page, let generation = gathered.generation {
      pages.keep(page, at: address, variant: variant, generation: generation)
      return page.response(to: request)
    }
    return response(reply, "no-cache", to: request)
  }

  /// Everything that rendering needs.
  private struct Gathered {
    var loaded = Loaded()
    /// The archive snapshot that satisfies every need.
    var snapshot: Catalog.Snapshot
    /// The oldest generation of anything on the page; nil if the page can't be cached for other readers.
    var generation: Int?
    /// Whether the page shows what a search has found: anybody can invent searches, so no cache helps.
    var isSearch = false
  }

  private func gather(
    _ route: Route,
    _ request: LongboxPages.Request,
    _ library: Library,
    _ client: ClientAddress
  ) async throws -> Gathered {
    var gathered = Gathered(snapshot: catalog.snapshot, generation: .max)
    var gathering = Gathering(for: route, in: request)
    while true {
      gathered.snapshot = catalog.snapshot
      let needs = gathering.next(archive: gathered.snapshot.archive, library: library)
      if needs.isEmpty { break }
      for need in needs {
        if case .search = need { gathered.isSearch = true }
        let (value, generation) = try await loader.load(
          need,
          for: client,
          articlesIn: library.articleLanguage
        )
        gathering.insert(value, for: need)
        gathered.generation = Self.older(gathered.generation, generation)
      }
    }
    gathered.loaded = gathering.loaded
    gathered.generation = Self.older(gathered.generation, gathered.snapshot.generation)
    return gathered
  }

  private static func older(_ one: Int?, _ other: Int?) -> Int? {
    guard let one, let other else { return nil }
    return min(one, other)
  }

  private func response(
    _ reply: LongboxPages.Response,
    _ cacheControl: String,
    to request: Hummingbird.Request
  ) -> Hummingbird.Response {
    guard reply.location.isEmpty else {
      return Hummingbird.Response(
        status: .init(code: reply.status),
        headers: [
          .location: reply.location.description,
          .cacheControl: reply.caching == .never ? "no-store" : "no-cache",
        ]
      )
    }
    let caching = reply.caching == .never ? "private, no-store" : cacheControl
    var response = reply.encodedBody(caching, for: request).response(to: request)
    // A header instead of a meta element: screen readers don't announce it, and pages without scripts can use
    // it.
    if let seconds = reply.reload, let name = HTTPField.Name("Refresh") {
      response.headers[name] = "\(seconds)"
    }
    return response
  }
}

extension LongboxPages.Response {
  /// The page as a body for one request, or for many if `request` is nil.
  func encodedBody(_ cacheControl: String, for request: Hummingbird.Request? = nil) -> EncodedBody {
    EncodedBody(
      status: .init(code: status),
      body,
      mediaType: "text/html; charset=utf-8",
      cacheControl: cacheControl,
      variesByCookie: true,
      for: request
    )
  }
}

extension LongboxPages.Request {
  init(_ request: Hummingbird.Request, at now: Date) {
    self.init(
      path: Text(string: request.uri.path),
      query: Text(string: request.uri.query ?? ""),
      random: .random(in: 0...UInt64.max),
      now: now.milliseconds,
      isPrefetch: request.isPrefetch
    )
  }

  /// The same request with a library: the reader's own, or a new one.
  fileprivate var remembered: LongboxPages.Request {
    var request = self
    request.isRemembered = true
    return request
  }
}

/// A cache of rendered pages, keyed by the catalog's generation so that a stale page never matches.
struct RenderedPages: Sendable {
  private struct Key: Hashable {
    var address: String
    /// What the body depends on besides: the server's address, and how a proxy passed the request on.
    var variant: String
    var generation: Int
  }

  private let cache: MemoryCache<Key, EncodedBody>

  init(limit: Int) {
    cache = MemoryCache(limit: limit)
  }

  /// How often a page was found and not found, and the bytes of all.
  var statistics: (hits: Int, misses: Int, cost: Int) { cache.statistics }

  func page(at address: String, variant: String = "", generation: Int) -> EncodedBody? {
    cache[Key(address: address, variant: variant, generation: generation)]
  }

  func keep(_ page: EncodedBody, at address: String, variant: String = "", generation: Int) {
    cache.insert(
      page,
      for: Key(address: address, variant: variant, generation: generation),
      cost: page.cost + address.utf8.count + variant.utf8.count
    )
  }
}
