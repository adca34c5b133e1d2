// Longbox
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
public import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// Sends messages to browsers through their push services (RFC 8030).
public struct PushSender: Sendable {
  /// Limits and timeouts of sending.
  public struct Limits: Sendable {
    /// The maximum number of messages in progress per service.
    ///
    /// A service without HTTP/2 gets as many connections.
    public var inProgress = 256
    /// The most addresses of a service's name that are tried.
    public var addresses = 4
    /// The timeout for connecting.
    public var connectTime = Duration.seconds(10)
    /// The timeout for one message.
    public var time = Duration.seconds(10)

    public init() {}
  }

  public let keys: VAPIDKeys
  /// The operator's address, as a URI; nil if there is none that push services take.
  let contact: String?
  let trusted: Set<PushEndpoint.Origin>
  let resolver: HostResolver
  /// Resolves names that clients submit; separate, so that slow ones don't delay messages.
  private let untrustedResolver: HostResolver
  private let isAllowed: @Sendable (NetworkAddress) -> Bool
  /// Limits and timeouts.
  public let limits: Limits
  /// Called with the outcome of each message, to count them; must not block.
  public var observer: (@Sendable (DeliveryResult.Outcome) -> Void)?
  /// The trusted certificate authorities.
  var trustRoots = NIOSSLTrustRoots.default
  let now: @Sendable () -> Date

  /// Makes a sender.
  ///
  /// `contact` is the operator's e-mail address or URL, see ``PushContact``. Services in `trusted` may
  /// have private addresses or use plain http; `resolver` resolves the names of all others.
  public init(
    keys: VAPIDKeys,
    contact: String? = nil,
    trusting trusted: Set<PushEndpoint.Origin> = [],
    resolver: HostResolver = .system(),
    limits: Limits = Limits(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(keys, contact, trusted, resolver, limits, now, untrustedResolver: .system(lookUps: 8)) {
      $0.isPublic
    }
  }

  init(
    _ keys: VAPIDKeys,
    _ contact: String?,
    _ trusted: Set<PushEndpoint.Origin>,
    _ resolver: HostResolver,
    _ limits: Limits,
    _ now: @escaping @Sendable () -> Date,
    untrustedResolver: HostResolver? = nil,
    isAllowed: @escaping @Sendable (NetworkAddress) -> Bool
  ) {
    self.keys = keys
    self.contact = contact.flatMap { PushContact($0).address }
    self.trusted = trusted
    self.resolver = resolver
    self.untrustedResolver = untrustedResolver ?? resolver
    self.limits = limits
    self.now = now
    self.isAllowed = isAllowed
  }

  /// Parses an endpoint that a browser has given; does not resolve its name.
  /// - Throws: `EndpointRejection` if nothing should be sent there.
  public func endpoint(_ text: String) throws(EndpointRejection) -> PushEndpoint {
    try PushEndpoint(text, trusting: trusted)
  }

  /// Checks that a service has only public addresses.
  /// - Throws: `EndpointRejection` if it has a private one or none.
  public func check(_ service: PushEndpoint.Origin) async throws(EndpointRejection) {
    _ = try await addresses(of: service, by: untrustedResolver)
  }

  /// Runs a step that sends messages to one service; its connections close afterwards.
  ///
  /// The service's name is resolved once. Each address must be public, and connections use these addresses;
  /// the certificate must match the name.
  /// - Throws: `EndpointRejection` if nothing may be sent there, else the step's error.
  public func withService<Value: Sendable>(
    at service: PushEndpoint.Origin,
    _ step: (PushService) async throws -> Value
  ) async throws -> Value {
    let addresses = try await addresses(of: service, by: resolver)
    return try await withService(at: service, through: addresses, step)
  }

  /// Connects to the first address that accepts a connection; without addresses, to any that the service's name has.
  ///
  /// It tries the addresses itself, because AsyncHTTPClient takes only one for a name.
  func withService<Value: Sendable>(
    at service: PushEndpoint.Origin,
    through addresses: [NetworkAddress],
    _ step: (PushService) async throws -> Value
  ) async throws -> Value {
    var configuration = configuration
    if let address = await reachable(addresses, port: service.port) {
      configuration.dnsOverride = [service.host: "\(address)"]
    }
    return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
      let service = try PushService(service, over: client, for: self)
      return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await service.run() }
        defer { group.cancelAll() }
        return try await step(service)
      }
    }
  }

  /// The settings of the HTTP client, which doesn't retry or redirect.
  private var configuration: HTTPClient.Configuration {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = trustRoots
    var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
    configuration.timeout.connect = TimeAmount(limits.connectTime)
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = limits.inProgress
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.decompression = .disabled
    return configuration
  }

  /// The first address that accepts a connection, or the first of all if none does; nil if there are no addresses.
  ///
  /// A name may have hundreds of addresses that don't answer, and each takes the time limit of a connection.
  private func reachable(_ addresses: [NetworkAddress], port: Int) async -> NetworkAddress? {
    guard addresses.count > 1 else { return addresses.first }
    for address in addresses.prefix(limits.addresses) where !Task.isCancelled {
      let connection = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .connectTimeout(TimeAmount(limits.connectTime))
        .connect(host: "\(address)", port: port)
      guard let channel = try? await connection.get() else { continue }
      try? await channel.close()
      return address
    }
    return addresses.first
  }

  /// The checked addresses of a service; empty for a trusted service, whose addresses aren't checked.
  private func addresses(
    of service: PushEndpoint.Origin,
    by resolver: HostResolver
  ) async throws(EndpointRejection) -> [NetworkAddress] {
    guard !trusted.contains(service) else { return [] }
    try service.checkIsPublic()
    let addresses = await resolver.addresses(service.host)
    guard !addresses.isEmpty else { throw .unknownHost(service.host) }
    if let other = addresses.first(where: { !isAllowed($0) }) {
      throw .privateAddress(host: service.host, address: "\(other)")
    }
    return addresses
  }
}

/// Says why there is no connection to a service, or why it broke.
enum ConnectionFailure {
  static func reason(_ error: any Error) -> String {
    switch error {
    case let error as NIOConnectionError:
      error.connectionErrors.first.map { reason($0.error) }
        ?? "its name is not known, or no name server answers"
    case let error as IOError:
      switch error.errnoCode {
      case ECONNREFUSED: "it refuses connections"
      case ENETUNREACH, EHOSTUNREACH: "there is no route to it"
      default: "the connection broke"
      }
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
      isOfCertificate(error)
        ? "its certificate isn’t trusted on this machine, or is one of another name" : "it has no HTTPS there"
    case let error as HTTPClientError:
      switch error {
      case .connectTimeout, .tlsHandshakeTimeout: "it doesn’t answer"
      case .remoteConnectionClosed, .uncleanShutdown: "it closed the connection before its answer was whole"
      default: error.shortDescription
      }
    default: String(describing: error)
    }
  }

  private static func isOfCertificate(_ error: any Error) -> Bool {
    if let error = error as? NIOSSLExtraError {
      return error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch
    }
    return String(describing: error).contains("CERTIFICATE")
  }
}
