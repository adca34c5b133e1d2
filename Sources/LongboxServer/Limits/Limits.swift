// Longbox
// SPDX-License-Identifier: MIT

public import LongboxReaders
import LongboxStore

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

  public init() {}
}

/// One of the ``Limits`` as a setting.
public struct Limit: Sendable {
  private enum Place: Sendable {
    case number(any WritableKeyPath<Limits, Int> & Sendable, least: Int)
    case megabytes(any WritableKeyPath<Limits, Int> & Sendable, least: Int)
    case seconds(any WritableKeyPath<Limits, Duration> & Sendable)
  }

  /// The setting's name below `limits`, such as `connectionsPerAddress`.
  public let name: String
  private let place: Place

  private init(_ name: String, _ path: any WritableKeyPath<Limits, Int> & Sendable, least: Int = 1) {
    self.name = name
    place = .number(path, least: least)
  }

  private init(_ name: String, megabytes path: any WritableKeyPath<Limits, Int> & Sendable, least: Int = 1) {
    self.name = name
    place = .megabytes(path, least: least)
  }

  private init(_ name: String, seconds path: any WritableKeyPath<Limits, Duration> & Sendable) {
    self.name = name
    place = .seconds(path)
  }

  /// All limits, in the order of docs/limits.md.
  public static let all = [
    Limit("connections", \.connections),
    Limit("connectionsPerAddress", \.connectionsPerAddress),
    Limit("connectionsFromLoopback", \.connectionsFromLoopback),
    Limit("reservedConnections", \.reservedConnections),
    Limit("headTime", seconds: \.headTime),
    Limit("bodyTime", seconds: \.bodyTime),
    Limit("bodyRate", \.bodyRate),
    Limit("stallTime", seconds: \.stallTime),
    Limit("idleTime", seconds: \.idleTime),
    Limit("crowdedIdleTime", seconds: \.crowdedIdleTime),
    Limit("stopTime", seconds: \.stopTime),
    Limit("addressLength", \.addressLength),
    Limit("headerLength", \.headerLength),
    Limit("bodyLength", \.bodyLength),
    Limit("unsentMegabytes", megabytes: \.unsentBytes),
    Limit("unsentMegabytesPerAddress", megabytes: \.unsentBytesPerAddress),
    Limit("newLibraries", \.storage.newLibrariesPerHour),
    Limit("newLibraryMegabytes", megabytes: \.storage.libraries.newLibrary),
    Limit("newMegabytesPerAddress", megabytes: \.storage.newBytesPerAddress),
    Limit("librariesMegabytes", megabytes: \.storage.libraries.allLibraries),
    Limit("freeMegabytes", megabytes: \.storage.libraries.freeSpace, least: 0),
    Limit("idleDays", \.storage.idleDays, least: 0),
    Limit("unusedDays", \.storage.unusedDays, least: 0),
    Limit("newSubscriptions", \.storage.newSubscriptionsPerHour),
  ]

  /// The environment variable, such as `LONGBOX_LIMITS_CONNECTIONS_PER_ADDRESS`.
  public var variable: String {
    name.reduce(into: "LONGBOX_LIMITS_") { variable, letter in
      variable += letter.isUppercase ? "_\(letter)" : letter.uppercased()
    }
  }

  /// What a value must be, for an error message.
  public var expected: String {
    switch place {
    case .number(_, let least): "a whole number, at least \(least)"
    case .megabytes(_, let least): "a whole number of megabytes, at least \(least)"
    case .seconds: "a number of seconds above 0"
    }
  }

  /// The value as a setting has it.
  public func text(in limits: Limits) -> String {
    switch place {
    case .number(let path, _): return String(limits[keyPath: path])
    case .megabytes(let path, _): return String(limits[keyPath: path] >> 20)
    case .seconds(let path):
      let seconds = limits[keyPath: path] / .seconds(1)
      return seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
    }
  }

  /// Sets the limit.
  /// - Returns: whether the text is a valid value; otherwise nothing changes.
  public func set(_ text: String, in limits: inout Limits) -> Bool {
    switch place {
    case .number(let path, let least):
      guard let number = Int(text), (least...1_000_000_000).contains(number) else { return false }
      limits[keyPath: path] = number
    case .megabytes(let path, let least):
      guard let number = Int(text), (least...1_000_000_000).contains(number) else { return false }
      limits[keyPath: path] = number << 20
    case .seconds(let path):
      guard let seconds = Double(text), seconds >= 0.01, seconds <= 1_000_000 else { return false }
      limits[keyPath: path] = .seconds(seconds)
    }
    return true
  }
}
