// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
public import LongboxCatalog
public import Logging
import LongboxReaders
public import LongboxStore
import NIOCore

/// The web server.
public enum Server {
  /// Serves until SIGTERM or SIGINT, then finishes the requests in progress, for a limited time.
  /// - Parameters:
  ///   - catalog: the comics. It should be prepared.
  ///   - store: the readers' libraries.
  ///   - settings: the address and the limits.
  ///   - onRunning: is called with the address when the server listens.
  ///   - logger: logs errors.
  /// - Throws: `ServerError` if it can't listen, otherwise the error that ended a service.
  public static func run(
    catalog: Catalog,
    store: Store,
    settings: ServerSettings,
    onRunning: @escaping @Sendable (String) async -> Void,
    logger: Logger
  ) async throws {
    let reach = try await reach(of: settings, store: store, now: { Date() }, logger: logger)
    let application = application(
      catalog: catalog,
      store: store,
      settings: settings,
      reach: reach,
      onRunning: onRunning,
      logger: logger
    )
    do {
      try await application.runService()
    } catch let error as IOError {
      throw ServerError(error, settings)
    }
  }

  /// The server as an application, to run or to test.
  ///
  /// Its services, such as the catalog's refresh service, start before it listens.
  /// - Parameters:
  ///   - catalog: the comics. It should be prepared.
  ///   - store: the readers' libraries.
  ///   - settings: the address and the limits.
  ///   - reach: how it can be reached, and by whom.
  ///   - now: the time.
  ///   - onRunning: is called with the address when the server listens.
  ///   - logger: logs errors.
  static func application(
    catalog: Catalog,
    store: Store,
    settings: ServerSettings,
    reach: Reach = Reach(),
    now: @escaping @Sendable () -> Date = { Date() },
    onRunning: @escaping @Sendable (String) async -> Void = { _ in },
    logger: Logger
  ) -> some ApplicationProtocol {
    let rejections = RejectionLog(logger: logger)
    let controllers = ServerControllers(
      catalog: catalog,
      store: store,
      settings: settings,
      reach: reach,
      rejections: rejections,
      floods: FloodLog(logger: logger),
      now: now
    )
    var application = application(
      answering: controllers.endpoints,
      settings: settings,
      certificates: reach.certificates,
      now: now,
      onRunning: onRunning,
      logger: logger
    )
    application.addServices(
      catalog.refreshService,
      LibraryExpiry(libraries: controllers.libraries, logger: logger)
    )
    if let access = reach.access { application.addServices(access) }
    if let certificates = reach.certificates { application.addServices(certificates) }
    if let sender = settings.push {
      let announcer = Announcer(
        catalog: catalog,
        store: store,
        sender: sender,
        rejections: rejections,
        logger: logger,
        now: now
      )
      application.addServices(announcer)
    }
    return application
  }

  /// A server with these endpoints and without services.
  static func application(
    answering endpoints: EndpointTable,
    settings: ServerSettings,
    certificates: Certificates? = nil,
    now: @escaping @Sendable () -> Date,
    onRunning: @escaping @Sendable (String) async -> Void = { _ in },
    logger: Logger
  ) -> Application<RouterResponder<ServerContext>> {
    let limits = settings.limits
    let floods = endpoints.floods
    let registry = ConnectionRegistry(limits: limits, floods: floods)
    let hosts = endpoints.gate.hosts
    let forwarding = Forwarding(settings.trustedProxies, isLoopback: settings.isLoopback)
    let server = HTTPServerBuilder { responder in
      let http = HTTPChannel(
        responder: responder,
        limits: limits,
        registry: registry,
        floods: floods
      ) { peer, turns in
        [
          ForwardingHandler(forwarding, floods: floods),
          RequestGuard(
            addressLimit: limits.addressLength,
            hosts: hosts,
            peer: peer,
            floods: floods,
            bodyLimit: { endpoints.bodyLimit(of: $0) }
          ),
          CachedResponseHandler(now: now, turns: turns, find: { endpoints.cachedResponse(to: $0, from: $1) }),
        ]
      }
      guard let certificates else { return http }
      return SecureChannel(http, patience: TimeAmount(limits.headTime), context: { certificates.context })
    }
    return Application(
      router: endpoints.router,
      server: server,
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port),
        serverName: nil,
        backlog: 256,
        reuseAddress: true
      ),
      services: [floods],
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? settings.port
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        // Under a wildcard address, the browser on this machine needs no HTTPS.
        let isSecure = certificates != nil && !["0.0.0.0", "::"].contains(settings.host)
        await onRunning("\(isSecure ? "https" : "http")://\(host):\(port)")
      },
      logger: logger
    )
  }
}
