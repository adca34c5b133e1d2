// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxReaders
import LongboxStore
import ServiceLifecycle

/// How other devices reach this server, and how they sign in.
struct NetworkAccess: Sendable {
  /// Decides which requests are admitted.
  var gate = AccessGate()
  /// Whether the server listens on loopback alone, although readers sign in.
  var isOnLoopbackAlone = false
  /// The certificates; nil without HTTPS of our own.
  var certificates: Certificates?
  /// Publishes a further name; nil if nothing does.
  var publisher: NamePublisher?
  /// The names and addresses under which other devices reach this machine, the best first.
  var reachableHosts: @Sendable () -> [String] = { [] }

  /// The devices and keys; nil if there is no sign-in.
  var access: AccessControl? { gate.access }

  /// The addresses of the site for other devices, the best first: scheme, host, port and base path.
  ///
  /// The public address that the operator named comes first.
  /// - Parameters:
  ///   - port: the port with a colon before it; empty for the usual one.
  ///   - site: the public address and the base path.
  func roots(port: String, of site: SiteAddress) -> [String] {
    let scheme = certificates == nil ? "http" : "https"
    let ofMachine = reachableHosts().map { "\(scheme)://\($0)\(port)\(site.basePath.text)" }
    return [site.publicAddress?.root].compactMap(\.self) + ofMachine
  }

  /// The address of the start page: below the public address if there is one, otherwise one that needs no encryption;
  /// nil if this machine is in no network.
  ///
  /// It has an IPv4 address if there is one: a phone may not find this machine by its name.
  func startAddress(port: String, of site: SiteAddress) -> String? {
    if let address = site.publicAddress { return address.link(to: StartController.path) }
    let hosts = reachableHosts()
    let host = hosts.first { $0.first?.isNumber ?? false } ?? hosts.first
    return host.map { "http://\($0)\(port)\(site.basePath.text)\(StartController.path)" }
  }
}

extension Server {
  /// Prepares how the server can be reached: who signs in, and the certificates.
  /// - Throws: `ServerError` if the network can reach the server, but there is neither a passphrase nor `isOpen`; `TLSError`;
  ///   `StoreError`.
  static func networkAccess(
    of settings: ServerSettings,
    store: Store,
    now: @escaping @Sendable () -> Date,
    logger: Logger
  ) async throws -> NetworkAccess {
    var network = NetworkAccess()
    let configured = settings.hostNames
    let publisher = publisher(for: settings, logger: logger)
    let watch = MachineNamesCache(configured, claimed: { publisher?.claimed }, now: now)
    let listening = HostField(settings.host).map { [$0.name] } ?? []
    network.gate.allowedHosts = HostNames { watch.current.names + listening }
    network.gate.basePath = settings.site.basePath
    network.gate.machineKey = settings.machineKey.flatMap { AccessToken.hash(of: $0.text) }
    if settings.isOpen {
      if settings.isLoopback { return network }
      network.gate.mode = .open
      logger.warning("Longbox is open: everybody in this network can read and change what is here.")
    } else {
      let access = AccessControl(store: store, logger: logger, now: now)
      try await access.load()
      guard access.hasPassphrase else {
        if settings.isLoopback { return network }
        throw ServerError.noPassphrase
      }
      network.gate.mode = .signIn
      network.gate.access = access
      network.isOnLoopbackAlone = settings.isLoopback
      if settings.isLoopback { return network }
    }
    if settings.tls == .off {
      if !settings.isOpen {
        logger.warning(
          "HTTPS is off: without a proxy that has it, passphrases cross the network unencrypted."
        )
      }
    } else {
      network.gate.hasTLS = true
      network.certificates = try Certificates(
        settings.tls,
        names: configured,
        machine: { watch.current },
        now: now,
        logger: logger
      )
    }
    let authority = network.certificates?.authority
    network.publisher = publisher
    network.reachableHosts = {
      watch.current.reachable(configured, by: authority, published: publisher?.established)
    }
    return network
  }

  /// Publishes the name `longbox.local`; nil if that is useless: the server listens on loopback, the machine has the name
  /// already, or the operator's certificate is for other names.
  private static func publisher(for settings: ServerSettings, logger: Logger) -> NamePublisher? {
    if settings.isLoopback || MachineNames.current([]).names.contains(NamePublisher.name) { return nil }
    if case .files = settings.tls { return nil }
    let listening = settings.host
    return NamePublisher(
      address: { MachineNames.current([]).address(listeningAt: listening) },
      logger: logger
    )
  }
}

/// Looks for a passphrase while a server on loopback has none, and closes the server when there is one.
///
/// A command such as `longbox passphrase` sets it from another process.
struct PassphraseWatch: Service {
  let store: Store
  /// The time between two looks.
  var interval = Duration.seconds(2)
  let logger: Logger
  /// Makes the server start to listen again, as it does with a passphrase.
  let restart: @Sendable () async throws -> Void

  func run() async throws {
    // A database can be away for long.
    var hasLogged = false
    while !Task.isCancelled, !Task.isShuttingDownGracefully {
      do { try await cancelWhenGracefulShutdown { try await Task.sleep(for: interval) } } catch { break }
      do {
        guard try await store.access.hasPassphrase() else {
          hasLogged = false
          continue
        }
        logger.notice("There is a passphrase now: readers sign in.")
        // It fails if the whole server ends, or logs why it can't listen.
        try? await restart()
        break
      } catch {
        if !hasLogged {
          logger.error("Longbox can’t read whether there is a passphrase.", metadata: ["error": "\(error)"])
        }
        hasLogged = true
      }
    }
    // The end of a service would cut off the requests in progress.
    try? await gracefulShutdown()
  }
}
