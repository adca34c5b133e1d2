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
    let application = application(
      catalog: catalog,
      store: store,
      settings: settings,
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
  ///   - now: the time.
  ///   - onRunning: is called with the address when the server listens.
  ///   - logger: logs errors.
  static func application(
    catalog: Catalog,
    store: Store,
    settings: ServerSettings,
    now: @escaping @Sendable () -> Date = { Date() },
    onRunning: @escaping @Sendable (String) async -> Void = { _ in },
    logger: Logger
  ) -> some ApplicationProtocol {
    let rejections = RejectionLog(logger: logger)
    let controllers = ServerControllers(
      catalog: catalog,
      store: store,
      settings: settings,
      rejections: rejections,
      floods: FloodLog(logger: logger),
      now: now
    )
    var application = application(
      answering: controllers.endpoints,
      settings: settings,
      now: now,
      onRunning: onRunning,
      logger: logger
    )
    application.addServices(
      catalog.refreshService,
      LibraryExpiry(libraries: controllers.libraries, logger: logger)
    )
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
    now: @escaping @Sendable () -> Date,
    onRunning: @escaping @Sendable (String) async -> Void = { _ in },
    logger: Logger
  ) -> Application<RouterResponder<ServerContext>> {
    let limits = settings.limits
    let floods = endpoints.floods
    let registry = ConnectionRegistry(limits: limits, floods: floods)
    let server = HTTPServerBuilder { responder in
      HTTPChannel(responder: responder, limits: limits, registry: registry, floods: floods) { client, turns in
        [
          RequestGuard(
            addressLimit: limits.addressLength,
            hosts: settings.hostNames,
            client: client,
            floods: floods,
            bodyLimit: { endpoints.bodyLimit(of: $0) }
          ),
          CachedResponseHandler(now: now, turns: turns, find: { endpoints.cachedResponse(to: $0) }),
        ]
      }
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
        await onRunning("http://\(host):\(port)")
      },
      logger: logger
    )
  }
}
