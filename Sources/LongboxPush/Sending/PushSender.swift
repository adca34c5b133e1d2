// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import NIOCore
import NIOSSL

/// Sends messages to browsers through their push services (RFC 8030).
public struct PushSender: Sendable {
  /// Limits and timeouts of sending.
  public struct Limits: Sendable {
    /// The maximum number of messages in progress per service, not counting slow ones.
    public var underWay = 64
    /// A message in progress for longer counts as slow.
    public var soon = Duration.seconds(1)
    /// The maximum number of connections per service, including those of slow messages.
    public var connections = 256
    /// The timeout for connecting.
    public var connectTime = Duration.seconds(10)
    /// The timeout for one message once it has a connection, including the TLS handshake of a new one.
    public var time = Duration.seconds(10)

    /// The interval of checks for slow and late messages.
    var look: TimeAmount {
      TimeAmount(min(max(time / 20, .milliseconds(10)), .milliseconds(250)))
    }

    /// Makes the default limits.
    public init() {}
  }

  /// The server's keys.
  public let keys: VAPIDKeys
  /// The operator's address, as a URL.
  let contact: String?
  let trusted: Set<PushEndpoint.Origin>
  let resolver: HostResolver
  /// Resolves names that clients submit; separate, so that slow ones don't delay messages.
  private let untrustedResolver: HostResolver
  private let isAllowed: @Sendable (NetworkAddress) -> Bool
  /// Limits and timeouts.
  public let limits: Limits
  /// The trusted certificate authorities.
  var trustRoots = NIOSSLTrustRoots.default
  let now: @Sendable () -> Date

  /// Makes a sender.
  ///
  /// `contact` is the operator's e-mail address or URL, for the push services. Services in `trusted` may
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
    self.contact = contact.map { $0.contains("://") || $0.hasPrefix("mailto:") ? $0 : "mailto:\($0)" }
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
    let route = PushConnections.Route(
      service: service,
      addresses: try addresses.map { try SocketAddress(ipAddress: "\($0)", port: service.port) },
      encryption: service.scheme == "https" ? try encryption() : nil
    )
    let connections = try await PushService(over: route, for: self)
    defer { connections.close() }
    return try await step(connections)
  }

  private func encryption() throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = trustRoots
    configuration.applicationProtocols = ["http/1.1"]
    return try NIOSSLContext(configuration: configuration)
  }

  /// The addresses to connect to; empty if the operator trusts the service, wherever its name leads.
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
