// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCatalog
import LongboxReaders
import LongboxStore

/// Creates all controllers of the server and what they share.
struct ServerControllers: Sendable {
  let endpoints: EndpointTable
  let libraries: Libraries

  init(
    catalog: Catalog,
    store: Store,
    settings: ServerSettings,
    reach: Reach = Reach(),
    rejections: RejectionLog = RejectionLog(logger: Logger(label: "longbox")),
    floods: FloodLog = FloodLog(logger: Logger(label: "longbox")),
    now: @escaping @Sendable () -> Date,
    render: @escaping PageController.Render = PageController.standardRender
  ) {
    let timeout = settings.timeout
    let assets = AssetController()
    let libraries = Libraries(store: store, limits: settings.limits.storage, now: now)
    self.libraries = libraries
    let bodies = LargeBodies()
    let rendered = RenderedPages(limit: settings.pageMemory)
    let feeds = FeedRenderer(catalog: catalog, rendered: rendered, now: now, timeout: timeout)
    let contexts = PageContexts(
      assetVersion: assets.version,
      version: settings.version,
      hasSignIn: reach.access != nil,
      isOpen: reach.gate.mode == .open
    )
    let pages = ServerPageRenderer(catalog: catalog, libraries: libraries, contexts: contexts, now: now)
    let albums = AlbumLoader(catalog: catalog, timeout: timeout)
    let controllers: [any Controller] = [
      PageController(
        catalog: catalog,
        libraries: libraries,
        pages: rendered,
        loader: NeedLoader(catalog: catalog, albums: albums, timeout: timeout),
        contexts: contexts,
        now: now,
        floods: floods,
        messages: pages,
        formLimit: settings.limits.bodyLength,
        render: render
      ),
      AlbumController(
        catalog: catalog,
        libraries: libraries,
        pages: pages,
        loader: albums,
        timeout: timeout,
        now: now
      ),
      PictureController(catalog: catalog, now: now),

      PairingController(libraries: libraries, pages: pages, codes: PairingCodes(), now: now),
      SignInController(reach: reach, pages: pages),
      DevicesController(reach: reach, pages: pages),
      StartController(reach: reach),
      ExportController(libraries: libraries, now: now),
      ImportController(catalog: catalog, libraries: libraries, pages: pages, bodies: bodies, now: now),

      assets,
      WorkerScriptController(assets: assets, version: settings.version),
      InstallManifestController(
        catalog: catalog,
        assets: assets,
        version: settings.version,
        hasSignIn: reach.access != nil
      ),
      ArchiveController(catalog: catalog),
      ExplanationController(catalog: catalog, timeout: timeout),
      SyncController(libraries: libraries, bodies: bodies, now: now),
      PushSubscriptionController(
        sender: settings.push,
        catalog: catalog,
        store: store,
        rejections: rejections,
        limiter: AddressRateLimiter(perHour: settings.limits.storage.newSubscriptionsPerHour),
        now: now
      ),

      APIController(catalog: catalog, assets: assets, timeout: timeout),
      ComicRecordController(catalog: catalog),
      OEmbedController(catalog: catalog, timeout: timeout),
      FeedsPageController(catalog: catalog, store: store, pages: pages, feeds: feeds, now: now),
      FeedController(catalog: catalog, feeds: feeds, now: now),
      FavoritesFeedController(store: store, libraries: libraries, feeds: feeds, now: now),
      CatalogueController(catalog: catalog, feeds: feeds),
      ComicBookController(catalog: catalog, feeds: feeds, timeout: timeout),

      HealthController(catalog: catalog, version: settings.version),
    ]
    endpoints = EndpointTable(
      controllers,
      bodyLimit: settings.limits.bodyLength,
      gate: reach.gate,
      floods: floods
    )
  }
}
