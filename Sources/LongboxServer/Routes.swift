// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import LongboxCatalog
import LongboxStore

/// Who answers what.
struct Routes: Sendable {
  private let assets: AssetRoutes
  private let health: HealthRoute
  private let device: DeviceRoute
  private let archive: ArchiveRoute
  private let worker: WorkerRoute
  private let records: RecordRoutes
  private let api: APIRoutes
  private let embedding: OEmbedRoute
  private let pictures: PictureRoutes
  private let explanations: ExplanationRoutes
  private let pages: PageRoutes
  private let sync: SyncRoute
  private let devices: DeviceRoutes
  private let imports: ImportRoutes
  private let albums: AlbumRoutes
  private let push: PushRoutes
  private let feeds: FeedRoutes

  init(
    catalog: Catalog,
    store: Store,
    settings: ServerSettings,
    refusals: RefusalLog = RefusalLog(logger: Logger(label: "longbox")),
    now: @escaping @Sendable () -> Date
  ) {
    assets = AssetRoutes()
    health = HealthRoute(catalog: catalog, version: settings.version)
    device = DeviceRoute(catalog: catalog, assets: assets, version: settings.version)
    archive = ArchiveRoute(catalog: catalog)
    worker = WorkerRoute(assets: assets, version: settings.version)
    records = RecordRoutes(catalog: catalog)
    api = APIRoutes(catalog: catalog, assets: assets, patience: settings.patience)
    embedding = OEmbedRoute(catalog: catalog, patience: settings.patience)
    pictures = PictureRoutes(catalog: catalog, now: now)
    explanations = ExplanationRoutes(catalog: catalog, patience: settings.patience)
    let libraries = Libraries(store: store, now: now)
    let bodies = LargeBodies()
    sync = SyncRoute(libraries: libraries, bodies: bodies, now: now)
    let rendered = RenderedPages(limit: settings.pageMemory)
    pages = PageRoutes(
      catalog: catalog,
      libraries: libraries,
      pages: rendered,
      assetVersion: assets.version,
      version: settings.version,
      now: now,
      patience: settings.patience,
      formLimit: settings.bodyLimit
    )
    devices = DeviceRoutes(pages: pages, codes: JoinCodes(), now: now)
    imports = ImportRoutes(pages: pages, bodies: bodies, now: now)
    albums = AlbumRoutes(pages: pages, patience: settings.patience)
    push = PushRoutes(sender: settings.push, catalog: catalog, store: store, refusals: refusals, now: now)
    feeds = FeedRoutes(
      catalog: catalog,
      store: store,
      libraries: libraries,
      rendered: rendered,
      pages: pages,
      now: now,
      patience: settings.patience
    )
  }

  /// All routes as a router, which a test can ask without a socket.
  var router: Router<BasicRequestContext> {
    let router = Router(options: .autoGenerateHeadEndpoints)
    router.add(middleware: SecurityHeaders())
    router.add(middleware: AllowedMethods())
    for path: RouterPath in ["/", "**"] {
      router.get(path) { request, _ in try await answer(request) }
      router.post(path) { request, _ in try await answer(request) }
      router.delete(path) { request, _ in try await answer(request) }
    }
    return router
  }

  /// The answer to a request, where it is ready in memory.
  ///
  /// It is called on the threads of the connections, which must not wait: there is no disk and no source behind it.
  func ready(_ head: HTTPRequest) -> Answer? {
    guard let address = head.path else { return nil }
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.count > 1 ? String(parts[1]) : nil
    switch Route(path: String(parts[0])) {
    case .page: return pages.ready(address, head)
    case .picture(let number, let kind):
      return pictures.ready(kind, of: number, query: query, head.headerFields)
    case .asset(let name): return assets.ready(name, query: query, head.headerFields)
    case .health, .device, .archive, .worker, .latestRecord, .record, .api, .embedding, .feed: return nil
    case .explanations, .explanationIndex, .explanation, .explanationPage: return nil
    case .sync, .move, .join, .exportLibrary, .importLibrary, .albums: return nil
    case .pushKey, .pushSubscriptions: return nil
    }
  }

  private func answer(_ request: Request) async throws -> Response {
    switch Route(path: request.uri.path) {
    case .health: try health.answer()
    case .asset(let name): try assets.asset(name, request)
    case .device: try await device.answer(request)
    case .archive: try await archive.answer(.archive, request)
    case .explanationIndex: try await archive.answer(.explanationIndex, request)
    case .worker: try worker.answer(request)
    case .latestRecord: try await records.latest(request)
    case .record(let number): try await records.record(number, request)
    case .pushKey: try push.key()
    case .pushSubscriptions: try await push.subscriptions(request)
    case .api(let route): try await api.answer(route, request)
    case .embedding: try await embedding.answer(request)
    case .feed(let route): try await feeds.answer(route, request)
    case .picture(let number, let kind): try await pictures.picture(kind, of: number, request)
    case .explanations: try await explanations.changes(request)
    case .explanation(let number): try await explanations.explanation(number, request)
    case .explanationPage(let number): try await pages.explanation(number, request)
    case .sync: try await sync.answer(request)
    case .move: try await devices.move(request)
    case .join: try await devices.join(request)
    case .exportLibrary: try await imports.export(request)
    case .importLibrary: try await imports.importing(request)
    case .albums(let route): try await albums.answer(route, request)
    case .page: try await pages.answer(request)
    }
  }
}
