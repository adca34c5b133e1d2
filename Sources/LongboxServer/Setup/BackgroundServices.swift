// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCatalog
import LongboxPush
import LongboxReaders
import LongboxStore
import ServiceLifecycle

/// The services that keep running while the listening part of the server is replaced: libraries, checks for new comics,
/// notifications, backups.
struct BackgroundServices: Sendable {
  let catalog: Catalog
  let store: Store
  let libraries: Libraries
  let rejections: RejectionLog
  /// Confirms new subscriptions; nil if the server sends no notifications.
  let confirmer: SubscriptionConfirmer?
  let now: @Sendable () -> Date
  let logger: Logger
  /// The services, in the order in which they start.
  let services: [any Service]

  init(
    catalog: Catalog,
    store: Store,
    settings: ServerSettings,
    now: @escaping @Sendable () -> Date,
    logger: Logger
  ) {
    self.catalog = catalog
    self.store = store
    self.now = now
    self.logger = logger
    libraries = Libraries(store: store, limits: settings.limits.storage, now: now)
    let readersLogger = settings.readersLogger ?? logger
    rejections = RejectionLog(logger: readersLogger)
    confirmer = settings.push.map {
      SubscriptionConfirmer(store: store, sender: $0, logger: readersLogger, now: now)
    }
    var leading: [any Service] = [
      catalog.refreshService, LibraryExpiry(libraries: libraries, logger: logger),
    ]
    if let requests = catalog.leaderRequestService { leading.append(requests) }
    if let sender = settings.push {
      let announcer = Announcer(
        catalog: catalog,
        store: store,
        sender: sender,
        rejections: rejections,
        logger: readersLogger,
        now: now
      )
      leading.append(announcer)
    }
    if let confirmer { leading.append(confirmer) }
    if let sender = settings.hooks {
      let announcer = HookAnnouncer(
        catalog: catalog,
        store: store,
        sender: sender,
        message: { [site = settings.site] in try HookMessage(about: $0, on: site) },
        logger: readersLogger,
        now: now
      )
      leading.append(announcer)
    }
    if let folder = settings.backups {
      leading.append(DailyBackups(store: store, folder: folder, now: now, logger: logger))
    }
    services = [catalog.publishingService] + Self.services(leading, of: store, logger: logger)
  }

  /// The services that only one node may run at a time.
  ///
  /// With SQLite they always run. With PostgreSQL they run while this node leads.
  private static func services(
    _ leading: [any Service],
    of store: Store,
    logger: Logger
  ) -> [any Service] {
    guard let cluster = store.cluster else { return leading }
    return [ClusterService(cluster: cluster), LeaderServices(cluster.election, leading, logger: logger)]
  }
}
