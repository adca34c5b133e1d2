// Longbox
// SPDX-License-Identifier: MIT

import NIOCore

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
