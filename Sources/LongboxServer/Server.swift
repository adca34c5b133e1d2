// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
public import LongboxCatalog
public import Logging
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
  ///   - logger: is told what goes wrong.
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
  ///   - logger: is told what goes wrong.
  static func application(
    catalog: Catalog,
    store: Store,
    settings: ServerSettings,
    now: @escaping @Sendable () -> Date = { Date() },
    onRunning: @escaping @Sendable (String) async -> Void = { _ in },
    logger: Logger
  ) -> some ApplicationProtocol {
    var application = Application(
      router: router(catalog: catalog, store: store, settings: settings, now: now),
      server: .http1(configuration: connection(settings)),
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
    application.addServices(catalog.upkeep)
    return application
  }

  /// All routes; a test can ask them without a socket.
  static func router(
    catalog: Catalog,
    store: Store,
    settings: ServerSettings,
    now: @escaping @Sendable () -> Date
  ) -> Router<BasicRequestContext> {
    let assets = AssetRoutes()
    let health = HealthRoute(catalog: catalog, version: settings.version)
    let records = RecordRoutes(catalog: catalog)
    let pictures = PictureRoutes(catalog: catalog, now: now)
    let libraries = Libraries(store: store, now: now)
    let sync = SyncRoute(libraries: libraries, now: now)
    let pages = PageRoutes(
      catalog: catalog,
      libraries: libraries,
      pages: RenderedPages(limit: settings.pageMemory),
      assetVersion: assets.version,
      version: settings.version,
      now: now,
      patience: settings.patience,
      formLimit: settings.bodyLimit
    )
    let answer: @Sendable (Request, BasicRequestContext) async throws -> Response = { request, _ in
      switch Route(path: request.uri.path) {
      case .health: try health.answer()
      case .asset(let name): try assets.asset(name, request)
      case .latestRecord: try await records.latest(request)
      case .record(let number): try await records.record(number, request)
      case .picture(let number, let kind): try await pictures.picture(kind, of: number, request)
      case .sync: try await sync.answer(request)
      case .page: try await pages.answer(request)
      }
    }
    let router = Router(options: .autoGenerateHeadEndpoints)
    router.add(middleware: SecurityHeaders())
    router.add(middleware: AllowedMethods())
    for path: RouterPath in ["/", "**"] {
      router.get(path, use: answer)
      router.post(path, use: answer)
    }
    return router
  }

  private static func connection(_ settings: ServerSettings) -> HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        RequestGuard(addressLimit: settings.addressLimit) { head in
          guard head.method == .post, let path = head.path else { return settings.bodyLimit }
          return Route.bodyLimit(at: URI(path).path, settings)
        }
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
