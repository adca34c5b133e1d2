// Longbox
// SPDX-License-Identifier: MIT

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

  /// Whether a client may address this server by a host: an IP address, `localhost`, a name below it, or one of the
  /// names.
  func allows(_ host: HostField) -> Bool {
    host.isAddress || host.isLoopback || names().contains(host.name)
  }
}
