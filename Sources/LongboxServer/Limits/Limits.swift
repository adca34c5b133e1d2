// Longbox
// SPDX-License-Identifier: MIT

public import LongboxReaders

/// How much clients may use of the server; a household never meets the defaults.
///
/// Each limit is a setting, see ``Limit``, and a row of docs/limits.md.
public struct Limits: Sendable, Equatable {
  /// The maximum number of connections at a time.
  public var connections = 512
  /// The maximum number of connections of one address: an IPv4 address, or the /64 of an IPv6 address.
  public var connectionsPerAddress = 64
  /// The same for 127.0.0.1 and ::1, from which a proxy on this machine passes on all requests.
  public var connectionsFromLoopback = 256
  /// How many of all connections are kept for 127.0.0.1 and ::1.
  public var reservedConnections = 16

  /// The maximum time for the head of a request, from its first byte.
  ///
  /// A body must reach its minimum rate after this time.
  public var headTime = Duration.seconds(10)
  /// The maximum time for the body of a request.
  public var bodyTime = Duration.seconds(120)
  /// The minimum rate of a request's body, in bytes a second.
  public var bodyRate = 1024
  /// The maximum time for which a client reads nothing of a response.
  public var stallTime = Duration.seconds(30)
  /// The maximum time between two requests of a connection.
  public var idleTime = Duration.seconds(60)
  /// The same while three quarters of all connections are in use.
  public var crowdedIdleTime = Duration.seconds(5)
  /// The maximum time for requests in progress when the server stops.
  public var stopTime = Duration.seconds(10)

  /// The maximum length of a request's address, in bytes.
  public var addressLength = 4096
  /// The maximum length of a request's header, in bytes.
  public var headerLength = 16 << 10
  /// The maximum length of a request's body if its address has no limit of its own, in bytes.
  public var bodyLength = 64 << 10

  /// The maximum number of bytes of responses that wait for their clients.
  public var unsentBytes = 64 << 20
  /// The same of one address.
  public var unsentBytesPerAddress = 16 << 20

  /// How much readers and strangers may store.
  public var storage = StorageLimits()

  /// Creates the default limits.
  public init() {}
}
