// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore
import LongboxPush
import LongboxReaders
import LongboxStore

/// Creates all controllers of the server and what they share.
struct ServerControllers: Sendable {
  let endpoints: EndpointTable

  init(
    _ background: BackgroundServices,
    settings: ServerSettings,
    network: NetworkAccess = NetworkAccess(),
    change: ReplaceableListener.Replace? = nil,
    render: @escaping PageController.Render = PageController.standardRender
  ) {
    let (catalog, store, libraries) = (background.catalog, background.store, background.libraries)
    let now = background.now
    let incidents = IncidentLog(logger: background.logger, metrics: settings.metrics)
    let timeout = settings.timeout
    let site = settings.site
    let basePath = site.basePath
    let assets = AssetController(basePath: basePath)
    let bodies = RequestBodies(incidents: incidents, now: now)
    let heavyWork = HeavyWork(incidents: incidents)
    let rendered = RenderedPages(limit: settings.pageMemory)
    let feeds = FeedRenderer(catalog: catalog, site: site, rendered: rendered, now: now, timeout: timeout)
    let books = ComicBookPress(catalog: catalog, heavyWork: heavyWork, incidents: incidents, timeout: timeout)
    let contexts = PageContexts(
      assetVersion: assets.version,
      version: settings.version,
      basePath: basePath,
      shared: site.shared,
      hasSignIn: network.access != nil,
      isOpen: network.gate.mode == .open
    )
    let pages = ServerPageRenderer(catalog: catalog, libraries: libraries, contexts: contexts, now: now)
    let embedded = EmbeddedComics(catalog: catalog, timeout: timeout)
    let albums = AlbumLoader(catalog: catalog, timeout: timeout)
    let controllers: [any Controller] = [
      PageController(
        catalog: catalog,
        libraries: libraries,
        pages: rendered,
        loader: NeedLoader(
          catalog: catalog,
          albums: albums,
          heavyWork: heavyWork,
          timeout: timeout,
          pictureWait: settings.pictureWait,
          clock: settings.clock
        ),
        heavyWork: heavyWork,
        contexts: contexts,
        site: site,
        now: now,
        incidents: incidents,
        serverPages: pages,
        formLimit: settings.limits.bodyLength,
        render: render
      ),
      AlbumController(
        catalog: catalog,
        libraries: libraries,
        pages: pages,
        loader: albums,
        basePath: basePath,
        timeout: timeout,
        now: now
      ),
      PictureController(catalog: catalog, now: now),

      PairingController(
        libraries: libraries,
        pages: pages,
        codes: store.pairingCodes(),
        site: site,
        incidents: incidents,
        now: now
      ),
      SignInController(network: network, pages: pages, incidents: incidents),
      DevicesController(network: network, site: site, pages: pages),
      ServerStatusController(
        examination: Examination(
          of: store.location,
          settings: settings,
          sources: settings.sources,
          isServing: true,
          refusedHosts: { RefusedHosts(incidents.total(of: .foreignHost)) },
          storePause: { [catalog] in await catalog.albums.storePause() },
          now: now
        ),
        store: store,
        hooks: settings.hooks,
        message: { [site] in
          try catalog.snapshot.archive.latest.map { try HookMessage(about: $0, on: site, isTest: true) }
        },
        pages: pages
      ),
      StartController(network: network, site: site),
      SetupController(
        network: network,
        site: site,
        pages: pages,
        names: settings.hostNames,
        access: network.access ?? AccessControl(store: store, logger: background.logger, now: now),
        setup: settings.setup,
        change: change
      ),
      LibraryFileController(
        catalog: catalog,
        libraries: libraries,
        pages: pages,
        bodies: bodies,
        heavyWork: heavyWork,
        now: now
      ),

      assets,
      WorkerScriptController(assets: assets, version: settings.version, site: site),
      InstallManifestController(
        catalog: catalog,
        assets: assets,
        version: settings.version,
        hasSignIn: network.access != nil
      ),
      ArchiveController(catalog: catalog, heavyWork: heavyWork),
      ExplanationController(
        catalog: catalog,
        heavyWork: heavyWork,
        basePath: basePath,
        timeout: timeout
      ),
      SyncController(
        libraries: libraries,
        bodies: bodies,
        heavyWork: heavyWork,
        now: now,
        received: settings.metrics?.counter("longbox_sync_entries_total", ("direction", "received")),
        sent: settings.metrics?.counter("longbox_sync_entries_total", ("direction", "sent"))
      ),
      PushSubscriptionController(
        sender: settings.push,
        confirmer: background.confirmer,
        catalog: catalog,
        store: store,
        rejections: background.rejections,
        limiter: store.limiter(
          of: .newSubscriptions,
          perHour: settings.limits.storage.newSubscriptionsPerHour
        ),
        incidents: incidents,
        now: now
      ),

      APIController(
        catalog: catalog,
        assets: assets,
        basePath: basePath,
        heavyWork: heavyWork,
        timeout: timeout
      ),
      AlbumsAPIController(catalog: catalog, timeout: timeout, now: now),
      ComicRecordController(catalog: catalog, ownPictures: settings.namesOwnPictures ? site : nil),
      OEmbedController(catalog: catalog, site: site, timeout: timeout),
      EmbedController(comics: embedded, basePath: basePath, ancestors: settings.frameAncestors),
      CanvasController(comics: embedded),
      FeedController(
        catalog: catalog,
        store: store,
        pages: pages,
        feeds: feeds,
        heavyWork: heavyWork,
        now: now
      ),
      FavoritesFeedController(
        store: store,
        libraries: libraries,
        feeds: feeds,
        heavyWork: heavyWork,
        books: books,
        now: now
      ),
      OPDSController(catalog: catalog, feeds: feeds, heavyWork: heavyWork, books: books),
      ComicBookController(catalog: catalog, timeout: timeout),

      BasePathController(basePath: basePath),
      HealthController(
        catalog: catalog,
        cluster: store.cluster,
        version: settings.version,
        gate: network.gate,
        incidents: incidents
      ),
      MetricsController(
        metrics: settings.metrics,
        catalog: catalog,
        store: store,
        rendered: rendered,
        settings: settings,
        incidents: incidents,
        now: now
      ),
    ]
    endpoints = EndpointTable(
      controllers,
      limits: settings.limits,
      accessGate: network.gate,
      incidents: incidents
    )
  }
}
