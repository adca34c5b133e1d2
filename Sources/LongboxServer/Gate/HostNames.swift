// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore

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

  init?(_ total: IncidentLog.Tally?) {
    guard let total else { return nil }
    (count, last) = (total.count, total.last)
  }
}

/// A host with its port, as in a `Host` field or the authority of an address.
struct HostField: Equatable, Sendable {
  /// In lower case, without brackets and without the dot at the end; an IPv6 address may name its network interface.
  let name: String
  /// The port, with its colon; empty for the default.
  let port: String
  /// Whether it is an IP address; DNS rebinding needs a name, so addresses are safe.
  let isAddress: Bool

  /// Reads the field; nil if it is missing or malformed.
  init?(_ authority: String?) {
    guard let authority else { return nil }
    var host = authority.lowercased()[...]
    var port = host[host.endIndex...]
    if let colon = host.lastIndex(of: ":"), host.last != "]" {
      port = host[colon...]
      host = host[..<colon]
      guard port.utf8.count <= 6, port.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
    }
    if host.hasPrefix("["), host.hasSuffix("]"), host.contains(":") {
      host = host.dropFirst().dropLast()
      isAddress = Self.isAddress(Self.withoutZone(host))
      guard isAddress else { return nil }
    } else {
      if host.hasSuffix(".") { host = host.dropLast() }
      guard Self.isName(host) else { return nil }
      isAddress = Self.isAddress(host)
    }
    name = String(host)
    self.port = String(port)
  }

  /// Whether it names this machine by a loopback name (RFC 6761, section 6.3) or by the usual loopback address.
  ///
  /// Other addresses of 127.0.0.0/8 don't count, since such a request needs no sign-in.
  var isLoopback: Bool {
    name == "localhost" || name.hasSuffix(".localhost") || name == "127.0.0.1" || name == "::1"
  }

  /// Whether it means all addresses of a machine.
  var isWildcard: Bool { name == "0.0.0.0" || name == "::" }

  /// Whether a text can be a host's name, in lower case; some machines have names with `_`.
  static func isName(_ text: some StringProtocol) -> Bool {
    text.utf8.count <= 253
      && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
          && label.utf8.allSatisfy { letter in
            switch letter {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
          }
      }
  }

  /// Whether a certificate can have a name.
  static func isCertifiable(_ name: some StringProtocol) -> Bool {
    isName(name) && !name.contains("_")
  }

  /// An IPv6 address without the network interface that link-local addresses may name, as in `fe80::1%25eth0` (RFC 6874).
  private static func withoutZone(_ address: Substring) -> Substring {
    guard let percent = address.firstIndex(of: "%") else { return address }
    var zone = address[percent...].dropFirst()
    if zone.hasPrefix("25"), zone.utf8.count > 2 { zone = zone.dropFirst(2) }
    // Linux limits names of interfaces to 15 bytes.
    let isName =
      (1...15).contains(zone.utf8.count)
      && zone.utf8.allSatisfy { letter in
        switch letter {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"): true
        default: false
        }
      }
    return isName ? address[..<percent] : address
  }

  private static func isAddress(_ host: Substring) -> Bool {
    (try? SocketAddress(ipAddress: String(host), port: 0)) != nil
  }
}
