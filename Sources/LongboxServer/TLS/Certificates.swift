// Longbox
// SPDX-License-Identifier: MIT

import Crypto
public import Foundation
import Logging
import NIOSSL
import ServiceLifecycle
import SwiftASN1
import Synchronization

/// The server's certificate, which is replaced while the server runs.
///
/// The household's authority makes another one after two thirds of its life, when the clock is set back to before
/// its life, and when the machine gets another name or address. The operator's files are read again when they change. New connections use the new certificate; the others
/// go on with theirs.
final class Certificates: Service {
  /// What the certificate was made from.
  private enum Source: Equatable, Sendable {
    case machine(MachineNames, fresh: Range<Date>)
    case files([Date])
  }

  private struct State {
    var context: NIOSSLContext
    var source: Source
  }

  /// The household's authority; nil with the operator's files.
  let authority: HouseholdAuthority?
  private let settings: TLSSettings
  private let machine: @Sendable () -> MachineNames
  private let now: @Sendable () -> Date
  private let logger: Logger
  private let state: Mutex<State>

  /// Loads or makes the certificate.
  /// - Throws: `TLSError` if it can't.
  init(
    _ settings: TLSSettings,
    names: [String],
    machine: @escaping @Sendable () -> MachineNames,
    now: @escaping @Sendable () -> Date,
    logger: Logger
  ) throws {
    self.settings = settings
    self.machine = machine
    self.now = now
    self.logger = logger
    let current = machine()
    let authority: HouseholdAuthority? =
      if case .household(let folder) = settings {
        try HouseholdAuthority.loadOrCreate(in: folder, for: current, names: names, at: now())
      } else { nil }
    self.authority = authority
    for name in names where authority?.permits(name) == false {
      logger.warning(
        "The household’s authority doesn’t cover a name that was added later. To make a new authority, move its folder away; all devices must then trust the new one.",
        metadata: ["name": "\(name)"]
      )
    }
    state = Mutex(try Self.make(settings, authority, current, at: now()))
  }

  /// What a new connection uses.
  var context: NIOSSLContext { state.withLock { $0.context } }

  /// Checks every 30 seconds whether another certificate is needed.
  func run() async throws {
    while !Task.isCancelled, !Task.isShuttingDownGracefully {
      do { try await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(30)) } } catch { return }
      renewIfDue()
    }
  }

  /// Makes or reads another certificate if one is needed.
  /// - Returns: whether it did.
  @discardableResult
  func renewIfDue() -> Bool {
    let (machine, now) = (machine(), now())
    guard isDue(machine, now) else { return false }
    do {
      let fresh = try Self.make(settings, authority, machine, at: now)
      state.withLock { $0 = fresh }
      logger.notice("The server has a new certificate.")
      return true
    } catch {
      logger.error("The certificate can’t be replaced; the old one stays.", metadata: ["error": "\(error)"])
      return false
    }
  }

  private func isDue(_ machine: MachineNames, _ now: Date) -> Bool {
    switch state.withLock({ $0.source }) {
    case .machine(let old, let fresh): old != machine || !fresh.contains(now)
    case .files(let dates): Self.dates(of: settings) != dates
    }
  }

  private static func make(
    _ settings: TLSSettings,
    _ authority: HouseholdAuthority?,
    _ machine: MachineNames,
    at now: Date
  ) throws -> State {
    if let authority {
      let leaf = try authority.leaf(for: machine, at: now)
      var serializer = DER.Serializer()
      try serializer.serialize(leaf.certificate)
      let certificate = try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der)
      let key = try NIOSSLPrivateKey(bytes: Array(leaf.key.derRepresentation), format: .der)
      return State(
        context: try context([certificate], key),
        source: .machine(machine, fresh: leaf.fresh)
      )
    }
    guard case .files(let certificate, let key) = settings else {
      throw TLSError(description: "There is no certificate for HTTPS.")
    }
    // Read before the files, so that a change in between is seen later.
    let dates = dates(of: settings)
    do {
      return State(
        context: try context(
          try NIOSSLCertificate.fromPEMFile(certificate.path),
          try NIOSSLPrivateKey(file: key.path, format: .pem)
        ),
        source: .files(dates)
      )
    } catch {
      throw TLSError(
        description: "The certificate \(certificate.path) or its key \(key.path) can't be used (\(error)). "
          + "Both must be PEM files that belong together and that Longbox may read."
      )
    }
  }

  private static func context(_ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) },
      privateKey: .privateKey(key)
    )
    configuration.minimumTLSVersion = .tlsv12
    configuration.cipherSuiteValues = authenticatedCiphers
    configuration.applicationProtocols = ["http/1.1"]
    return try NIOSSLContext(configuration: configuration)
  }

  /// The ciphers of TLS 1.2 with forward secrecy that encrypt and authenticate at once; those of 1.3 all do.
  private static let authenticatedCiphers: [NIOTLSCipher] = [
    .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
    .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
    .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
  ]

  private static func dates(of settings: TLSSettings) -> [Date] {
    guard case .files(let certificate, let key) = settings else { return [] }
    return [certificate, key].map { file in
      let facts = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)
      return facts?[.modificationDate] as? Date ?? .distantPast
    }
  }
}

/// Why the certificates can't be used; the description says what to do.
public struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One or two sentences.
  public let description: String
}

/// Where the certificate for HTTPS comes from.
public enum TLSSettings: Equatable, Sendable {
  /// There is no HTTPS, or a proxy has it.
  case off
  /// The household's own authority, kept in a folder.
  case household(folder: URL)
  /// The operator's files in PEM: the certificate with those between it and the authority, and the key.
  case files(certificate: URL, key: URL)
}
