// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The names by which clients may address this server.
///
/// By DNS rebinding, an attacker's page can make its own host name resolve to this server; then both have the same origin.
/// Checking the name prevents that. IP addresses are safe, because the attack needs a name.
struct HostNames: Sendable {
  private let names: @Sendable () -> [String]

  /// Creates the list.
  /// - Parameter names: the names in lower case, besides `localhost` and those below it. It must not block.
  init(_ names: @escaping @Sendable () -> [String] = { [] }) {
    self.names = names
  }

  /// The line of the settings that adds a name; nil if the setting can't have it.
  static func line(adding name: String, to others: [String] = []) -> String? {
    guard HostField.isCertifiable(name) else { return nil }
    return "LONGBOX_HOST_NAMES=" + (others + [name]).joined(separator: ",")
  }

  /// The answer to a client whose host is not allowed; it has the name only if that is well-formed.
  /// - Parameter host: the host; nil if it is malformed.
  static func rejection(of host: HostField?) -> String {
    guard let host, let line = Self.line(adding: host.name) else {
      return """
        The name in this address can't be one of a server: it has other characters than letters, digits, hyphens and dots. The \
        operator sets the names of this Longbox by LONGBOX_HOST_NAMES.

        """
    }
    return """
      This Longbox doesn't know the name “\(host.name)”. If the name should lead here, the operator adds this line to the \
      settings, and starts Longbox again:

          \(line)

      If there is such a line already, add the name to it, after a comma.

      """
  }

  /// Whether a client may address this server by a host: an IP address, `localhost`, a name below it, or one of the
  /// names.
  func allows(_ host: HostField) -> Bool {
    host.isAddress || host.isLoopback || names().contains(host.name)
  }
}

/// The requests that were refused since the server started, because their `Host` is not a name of it.
public struct RefusedHosts: Codable, Equatable, Sendable {
  /// How many they are.
  public let count: Int
  /// The name in the last one; not in the form of a name if the client sent something else.
  public let last: String

  /// What `/healthz` has for this machine's user; nil if there is nothing, or it can't be read.
  public init?(health: [UInt8]) {
    struct Health: Decodable { var refusedHosts: RefusedHosts? }
    let decoded = try? JSONDecoder().decode(Health.self, from: Data(health))
    guard let refused = decoded?.refusedHosts, refused.count > 0 else { return nil }
    self = refused
  }

  init?(_ total: FloodLog.Tally?) {
    guard let total else { return nil }
    (count, last) = (total.count, total.last)
  }
}
