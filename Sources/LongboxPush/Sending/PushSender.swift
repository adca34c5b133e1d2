// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import NIOCore
import NIOSSL

/// Sends messages to browsers by way of their push services (RFC 8030).
public struct PushSender: Sendable {
  /// How much is sent at a time, and how long is waited.
  public struct Limits: Sendable {
    /// Messages to one service that are under way at a time and have only just been sent.
    public var underWay = 64
    /// After this long a message under way counts as one that hangs.
    public var soon = Duration.seconds(1)
    /// Connections to one service at a time, those of messages that hang among them.
    public var connections = 256
    /// The time for a connection.
    public var connectTime = Duration.seconds(10)
    /// The time for one message, from the moment when there is a connection for it, with the handshake of TLS where that is
    /// new.
    public var time = Duration.seconds(10)

    /// How often is looked for messages that are late.
    var look: TimeAmount {
      TimeAmount(min(max(time / 20, .milliseconds(10)), .milliseconds(250)))
    }

    /// Makes the usual limits.
    public init() {}
  }

  /// Who sends.
  public let keys: VAPIDKeys
  /// How the services' operators reach who runs this server.
  let contact: String?
  let trusted: Set<PushEndpoint.Origin>
  let resolver: HostResolver
  /// Looks up what strangers name, apart from the other, so that names of theirs that are slow hold up no message.
  private let untrustedResolver: HostResolver
  private let isAllowed: @Sendable (NetworkAddress) -> Bool
  /// How much is sent at a time.
  public let limits: Limits
  /// Who vouches for the services' certificates.
  var trustRoots = NIOSSLTrustRoots.default
  let now: @Sendable () -> Date

  /// Makes a sender.
  /// - Parameters:
  ///   - keys: who sends.
  ///   - contact: how the services' operators reach who runs this server, an e-mail address or a URL.
  ///   - trusted: push services that may have private addresses or speak plain http, since the operator says so.
  ///   - resolver: finds the addresses of the others.
  ///   - limits: how much is sent at a time.
  ///   - now: the time.
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

  /// Reads an endpoint that a browser has given.
  /// - Throws: `EndpointRefusal` where nothing should be sent there, as far as its text tells.
  public func endpoint(_ text: String) throws(EndpointRefusal) -> PushEndpoint {
    try PushEndpoint(text, trusting: trusted)
  }

  /// Makes sure that a service has public addresses only.
  /// - Throws: `EndpointRefusal` where it has another, or none.
  public func check(_ service: PushEndpoint.Origin) async throws(EndpointRefusal) {
    _ = try await addresses(of: service, by: untrustedResolver)
  }

  /// Lets a step send messages to one service, over connections that end with it.
  ///
  /// The service's name is looked up once; each of its addresses has to be public, and connections go to those that were checked.
  /// The certificate is still that of the name.
  /// - Parameters:
  ///   - service: the push service.
  ///   - step: what to send there.
  /// - Throws: `EndpointRefusal` where nothing may be sent there, else what the step throws.
  public func withService<Value: Sendable>(
    at service: PushEndpoint.Origin,
    _ step: (PushService) async throws -> Value
  ) async throws -> Value {
    let addresses = try await addresses(of: service, by: resolver)
    let way = PushConnections.Way(
      service: service,
      addresses: try addresses.map { try SocketAddress(ipAddress: "\($0)", port: service.port) },
      encryption: service.scheme == "https" ? try encryption() : nil
    )
    let connections = try await PushService(over: way, for: self)
    defer { connections.close() }
    return try await step(connections)
  }

  private func encryption() throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = trustRoots
    configuration.applicationProtocols = ["http/1.1"]
    return try NIOSSLContext(configuration: configuration)
  }

  /// The addresses to connect to; none where the operator trusts the service, wherever its name leads.
  private func addresses(
    of service: PushEndpoint.Origin,
    by resolver: HostResolver
  ) async throws(EndpointRefusal) -> [NetworkAddress] {
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
