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

/// The web server: pages, pictures, records and files, all from one catalog.
public enum Server {
  /// Serves until the program is told to stop by SIGTERM or SIGINT; what is under way then is finished.
  /// - Parameters:
  ///   - catalog: where comics come from. It should be prepared.
  ///   - store: where readers' libraries are kept.
  ///   - settings: where it listens and how much it takes.
  ///   - onRunning: is told the address when it listens.
  ///   - logger: gets what goes wrong.
  /// - Throws: `ServerError` where it can't listen, else what ended a service.
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

  /// The server as an application, which the caller runs or tests.
  ///
  /// Its services, the catalog's upkeep among them, start before it listens.
  /// - Parameters:
  ///   - catalog: where comics come from. It should be prepared.
  ///   - store: where readers' libraries are kept.
  ///   - settings: where it listens and how much it takes.
  ///   - now: the time.
  ///   - onRunning: is told the address when it listens.
  ///   - logger: gets what goes wrong.
  static func application(
    catalog: Catalog,
    store: Store,
    settings: ServerSettings,
    now: @escaping @Sendable () -> Date = { Date() },
    onRunning: @escaping @Sendable (String) async -> Void = { _ in },
    logger: Logger
  ) -> some ApplicationProtocol {
    let refusals = RefusalLog(logger: logger)
    let controllers = ServerControllers(
      catalog: catalog,
      store: store,
      settings: settings,
      refusals: refusals,
      now: now
    )
    var application = application(
      answering: controllers.endpoints,
      settings: settings,
      now: now,
      onRunning: onRunning,
      logger: logger
    )
    application.addServices(catalog.upkeep)
    if let sender = settings.push {
      let announcer = Announcer(
        catalog: catalog,
        store: store,
        sender: sender,
        refusals: refusals,
        logger: logger,
        now: now
      )
      application.addServices(announcer)
    }
    return application
  }

  /// A server without services, which answers what the endpoints answer.
  static func application(
    answering endpoints: EndpointTable,
    settings: ServerSettings,
    now: @escaping @Sendable () -> Date,
    onRunning: @escaping @Sendable (String) async -> Void = { _ in },
    logger: Logger
  ) -> Application<RouterResponder<ServerContext>> {
    Application(
      router: endpoints.router,
      server: .http1(configuration: connection(settings, endpoints, now: now)),
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port),
        serverName: nil,
        backlog: 256,
        reuseAddress: true,
        availableConnectionsDelegate: MaximumAvailableConnections(settings.connectionLimit)
      ),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? settings.port
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        await onRunning("http://\(host):\(port)")
      },
      logger: logger
    )
  }

  private static func connection(
    _ settings: ServerSettings,
    _ endpoints: EndpointTable,
    now: @escaping @Sendable () -> Date
  ) -> HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        RequestGuard(addressLimit: settings.addressLimit, bodyLimit: { endpoints.bodyLimit(of: $0) }),
        CachedResponseHandler(
          longest: TimeAmount(settings.idleTimeout / 2),
          now: now,
          find: { endpoints.cachedResponse(to: $0) }
        ),
      ],
      idleTimeout: TimeAmount(settings.idleTimeout),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: settings.headerLimit,
        maxHeaderListSize: settings.headerLimit,
        maxHeaderFieldCount: 100
      )
    )
  }
}
