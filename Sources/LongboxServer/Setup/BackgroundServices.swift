// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCatalog
import LongboxReaders
import LongboxStore
import ServiceLifecycle

/// What runs on while the part of the server that listens is replaced: libraries, the search for new comics,
/// notifications.
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
    var services: [any Service] = [
      catalog.refreshService, LibraryExpiry(libraries: libraries, logger: logger),
    ]
    if let sender = settings.push {
      let announcer = Announcer(
        catalog: catalog,
        store: store,
        sender: sender,
        rejections: rejections,
        logger: readersLogger,
        now: now
      )
      services.append(announcer)
    }
    if let confirmer { services.append(confirmer) }
    if let folder = settings.backups {
      services.append(DailyBackups(store: store, folder: folder, now: now, logger: logger))
    }
    self.services = services
  }
}
