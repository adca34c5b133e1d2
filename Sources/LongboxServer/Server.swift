// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
public import Logging
public import LongboxCatalog
import LongboxReaders
public import LongboxStore
import NIOCore
import ServiceLifecycle
import Synchronization
import UnixSignals

public enum Server {
  /// Serves until SIGTERM or SIGINT, then finishes the requests in progress, for a limited time.
  /// - Parameters:
  ///   - catalog: the comics. It should be prepared.
  ///   - store: the readers' libraries.
  ///   - settings: the address and the limits.
  ///   - onRunning: is called with the address when the server listens, once.
  ///   - manager: the service manager, which the server tells that it listens, answers and stops; nil if there is none.
  ///   - logger: logs errors.
  /// - Throws: `ServerError` if it can't listen, otherwise the error that ended a service.
  public static func run(
    catalog: Catalog,
    store: Store,
    settings: ServerSettings,
    onRunning: @escaping @Sendable (String) async -> Void,
    manager: ServiceManager? = nil,
    logger: Logger
  ) async throws {
    let now: @Sendable () -> Date = { Date() }
    let background = BackgroundServices(
      catalog: catalog,
      store: store,
      settings: settings,
      now: now,
      logger: logger
    )
    let isAnnounced = Atomic(false)
    // The settings that `NetworkSetup` returns lack these.
    let (push, metrics, sources) = (settings.push, settings.metrics, settings.sources)
    let machineKey = settings.machineKey
    let listener = ReplaceableListener(settings, logger: logger) { settings, change, onListening in
      var settings = settings
      (settings.push, settings.metrics, settings.sources) = (push, metrics, sources)
      settings.machineKey = machineKey
      let network = try await networkAccess(of: settings, store: store, now: now, logger: logger)
      return listening(
        background,
        settings: settings,
        network: network,
        change: change,
        manager: manager,
        onRunning: { address, channel in
          if isAnnounced.exchange(true, ordering: .relaxed) {
            logger.notice("Longbox listens with other settings now.", metadata: ["address": "\(address)"])
            manager?.notifyMoved(to: address)
          } else {
            await onRunning(address)
            manager?.notifyReady(at: address)
          }
          await onListening(channel)
        }
      )
    }
    var services = background.services + [listener]
    if let manager { services.append(StopNotice(manager: manager)) }
    let group = ServiceGroup(
      configuration: .init(
        services: services,
        gracefulShutdownSignals: [.sigterm, .sigint],
        logger: logger
      )
    )
    try await group.run()
  }

  /// The server as an application, to test.
  ///
  /// Its services, such as the catalog's refresh service, start before it listens.
  /// - Parameters:
  ///   - catalog: the comics. It should be prepared.
  ///   - store: the readers' libraries.
  ///   - settings: the address and the limits.
  ///   - network: how it can be reached, and by whom.
  ///   - now: the time.
  ///   - logger: logs errors.
  static func application(
    catalog: Catalog,
    store: Store,
    settings: ServerSettings,
    network: NetworkAccess = NetworkAccess(),
    now: @escaping @Sendable () -> Date = { Date() },
    logger: Logger
  ) -> some ApplicationProtocol {
    let background = BackgroundServices(
      catalog: catalog,
      store: store,
      settings: settings,
      now: now,
      logger: logger
    )
    var application = listening(background, settings: settings, network: network)
    application.services.insert(contentsOf: background.services, at: 0)
    return application
  }

  /// The part of the server that listens.
  /// - Parameters:
  ///   - background: the services that keep running while the part is replaced.
  ///   - settings: the address and the limits.
  ///   - network: how it can be reached, and by whom.
  ///   - change: replaces the part; nil if nothing does.
  ///   - manager: watches whether it answers; nil if nothing does.
  ///   - onRunning: is called with the address and the channel when it listens.
  private static func listening(
    _ background: BackgroundServices,
    settings: ServerSettings,
    network: NetworkAccess,
    change: ReplaceableListener.Replace? = nil,
    manager: ServiceManager? = nil,
    onRunning: @escaping OnRunning = { _, _ in }
  ) -> Application<Dispatcher> {
    let controllers = ServerControllers(background, settings: settings, network: network, change: change)
    var application = application(
      answering: controllers.endpoints,
      settings: settings,
      certificates: network.certificates,
      now: background.now,
      onRunning: onRunning,
      logger: background.logger
    )
    if let access = network.access { application.addServices(access) }
    if let change, network.gate.mode == .loopback, !settings.isOpen {
      application.addServices(
        PassphraseWatch(store: background.store, logger: background.logger) { try await change(nil) }
      )
    }
    if let certificates = network.certificates { application.addServices(certificates) }
    if let publisher = network.publisher { application.addServices(publisher) }
    if let watchdog = Watchdog(manager, loops: application.eventLoopGroup, clock: ContinuousClock()) {
      application.addServices(watchdog)
    }
    return application
  }

  /// Is called with the address and the channel when a server listens.
  typealias OnRunning = @Sendable (String, any Channel) async -> Void

  /// An application with these endpoints, and without services other than its logs.
  static func application(
    answering endpoints: EndpointTable,
    settings: ServerSettings,
    certificates: Certificates? = nil,
    now: @escaping @Sendable () -> Date,
    onRunning: @escaping OnRunning = { _, _ in },
    logger: Logger
  ) -> Application<Dispatcher> {
    let limits = settings.limits
    let incidents = endpoints.incidents
    let accessLog = settings.accessLog.map { AccessLog($0, incidents: incidents) }
    let registry = ConnectionRegistry(limits: limits, incidents: incidents)
    let gate = RequestGate(
      forwarding: Forwarding(
        settings.trustedProxies,
        isLoopback: settings.isLoopback,
        user: settings.remoteUserField,
        basePath: settings.site.basePath
      ),
      basePath: settings.site.basePath,
      hosts: endpoints.accessGate.allowedHosts,
      addressLimit: limits.addressLength,
      endpoints: endpoints
    )
    let metrics = settings.metrics.map { RequestMetrics($0, paths: endpoints.paths) }
    // They stop last.
    var services: [any Service] = [incidents]
    if let accessLog { services.append(accessLog) }
    let server = HTTPServerBuilder { responder in
      let http = HTTPChannel(
        responder: responder,
        limits: limits,
        registry: registry,
        gate: gate,
        accessLog: accessLog,
        metrics: metrics,
        now: now
      )
      guard let certificates else { return http }
      return SecureChannel(http, timeout: TimeAmount(limits.headTime), context: { certificates.context })
    }
    return Application(
      responder: endpoints.dispatcher,
      server: server,
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port),
        serverName: nil,
        backlog: 256,
        reuseAddress: true
      ),
      services: services,
      onServerRunning: { channel in
        // It fails only if the channel was closed.
        try? await channel.pipeline.addHandler(AcceptPause(), position: .first)
        await onRunning(address(of: channel, settings, hasCertificates: certificates != nil), channel)
      },
      logger: logger
    )
  }

  /// The address of a server for a browser on this machine.
  private static func address(
    of channel: any Channel,
    _ settings: ServerSettings,
    hasCertificates: Bool
  ) -> String {
    let port = channel.localAddress?.port ?? settings.port
    let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
    // Under a wildcard address, the browser on this machine needs no HTTPS.
    let isSecure = hasCertificates && !["0.0.0.0", "::"].contains(settings.host)
    return "\(isSecure ? "https" : "http")://\(host):\(port)\(settings.site.basePath.text)"
  }
}

/// Why the server can't listen.
public struct ServerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A sentence that says what to do.
  public let description: String

  /// The server would listen on a network without a passphrase.
  static let noPassphrase = ServerError(
    description:
      "Longbox doesn’t listen beyond this machine without a passphrase: everybody in the network could read and "
      + "change your library. Run “longbox setup” to set one, or say --open if that is what you want."
  )

  private init(description: String) {
    self.description = description
  }

  init(_ error: IOError, _ settings: ServerSettings) {
    let place = "\(settings.host), port \(settings.port)"
    description =
      switch error.errnoCode {
      case EADDRINUSE:
        "\(place): another program listens there. Stop that one, or choose another port with --port."
      case EADDRNOTAVAIL: "\(place): this machine has no such address. Choose another with --host."
      case EACCES: "\(place): that is not allowed. Choose a port above 1023 with --port."
      default: "\(place): \(error)"
      }
  }
}
