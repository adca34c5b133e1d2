// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCatalog
import LongboxCore
import LongboxPages
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
    let leadersStore = store.forLeader
    var leading: [any Service] = [
      catalog.refreshService, LibraryExpiry(libraries: libraries, logger: logger),
    ]
    if let requests = catalog.leaderRequestService { leading.append(requests) }
    if let sender = settings.push {
      let announcer = Announcer(
        catalog: catalog,
        store: leadersStore,
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
        store: leadersStore,
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

extension Announcer {
  /// Creates a server's announcer, whose notifications show thumbnails from this server.
  init(
    catalog: Catalog,
    store: Store,
    sender: PushSender,
    rejections: RejectionLog,
    logger: Logger,
    now: @escaping @Sendable () -> Date
  ) {
    self.init(
      catalog: catalog,
      store: store,
      sender: sender,
      thumbnail: { comic in
        comic.picture.map { Link.thumbnail(comic.number, version: $0.versionText).address.description }
      },
      rejections: rejections,
      logger: logger,
      now: now
    )
  }
}

/// Connects this node with the others on its database until shutdown, and takes part in electing the leader.
///
/// It starts before ``LeaderServices`` and so stops after it: another node can lead only after those services have ended.
struct ClusterService: Service {
  let cluster: Cluster

  func run() async {
    await cancelWhenGracefulShutdown { [cluster] in await cluster.run() }
  }
}

/// Runs services while this node leads, and cancels them when its term ends.
///
/// They change what is the leader's through `Store.forLeader`, which fails when the term is over.
struct LeaderServices: Service {
  private let election: LeaderElection
  private let services: [any Service]
  private let logger: Logger

  init(_ election: LeaderElection, _ services: [any Service], logger: Logger) {
    self.election = election
    self.services = services
    self.logger = logger
  }

  /// Runs until shutdown, which lets the services finish.
  /// - Throws: the error that ended a service.
  func run() async throws {
    for await term in election.terms.cancelOnGracefulShutdown() {
      logger.notice("This node leads.", metadata: ["term": "\(term.number)"])
      try await lead(in: term)
      logger.notice("This node doesn't lead any more.", metadata: ["term": "\(term.number)"])
      if Task.isShuttingDownGracefully { return }
    }
  }

  private enum End {
    case service, term
  }

  private func lead(in term: LeaderTerm) async throws {
    try await withThrowingTaskGroup(of: End.self) { group in
      for service in services {
        group.addTask {
          do {
            try await service.run()
          } catch  where term.isOver || Task.isCancelled {
            // The service was cancelled, or a write failed because the term is over.
          }
          return .service
        }
      }
      group.addTask {
        await term.waitForEnd()
        return .term
      }
      var running = services.count
      for try await end in group {
        if end == .service { running -= 1 }
        // At shutdown the services end by themselves.
        if end == .term || running == 0 { group.cancelAll() }
      }
    }
  }
}
