// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxReaders
import LongboxStore

extension Server {
  /// Prepares how the server can be reached: who signs in, and the certificates.
  /// - Throws: `ServerError` if the network can reach the server, but there is neither a passphrase nor `isOpen`; `TLSError`;
  ///   `StoreError`.
  static func reach(
    of settings: ServerSettings,
    store: Store,
    now: @escaping @Sendable () -> Date,
    logger: Logger
  ) async throws -> Reach {
    var reach = Reach()
    let configured = settings.hostNames
    let publisher = publisher(for: settings, logger: logger)
    let watch = MachineNamesCache(configured, claimed: { publisher?.claimed }, now: now)
    let listening = HostField(settings.host).map { [$0.name] } ?? []
    reach.gate.hosts = HostNames { watch.current.names + listening }
    reach.gate.basePath = settings.site.basePath
    reach.gate.machineKey = settings.machineKey.flatMap { AccessToken.hash(of: $0.text) }
    if settings.isOpen {
      if settings.isLoopback { return reach }
      reach.gate.mode = .open
      logger.warning("Longbox is open: everybody in this network can read and change what is here.")
    } else {
      let access = AccessControl(store: store, logger: logger, now: now)
      try await access.load()
      guard access.hasPassphrase else {
        if settings.isLoopback { return reach }
        throw ServerError.noPassphrase
      }
      reach.gate.mode = .signIn
      reach.gate.access = access
      reach.isOnLoopbackAlone = settings.isLoopback
      if settings.isLoopback { return reach }
    }
    if settings.tls == .off {
      if !settings.isOpen {
        logger.warning(
          "HTTPS is off: without a proxy that has it, passphrases cross the network unencrypted."
        )
      }
    } else {
      reach.gate.hasTLS = true
      reach.certificates = try Certificates(
        settings.tls,
        names: configured,
        machine: { watch.current },
        now: now,
        logger: logger
      )
    }
    let authority = reach.certificates?.authority
    reach.publisher = publisher
    reach.hosts = {
      watch.current.reachable(configured, by: authority, published: publisher?.established)
    }
    return reach
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
