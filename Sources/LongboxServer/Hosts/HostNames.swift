// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore

/// The names by which clients may address this server.
///
/// An attacker's page can make its own name lead to this server (DNS rebinding), and would then be of the
/// same origin. Only the check of the name stops it. Addresses are safe, since such a page needs a name.
public struct HostNames: Sendable, Equatable {
  /// The names of the machine and those of the settings, in lower case, without a trailing dot.
  public let names: [String]

  /// Creates the list.
  /// - Parameters:
  ///   - configured: further names, such as `comics.example.org`.
  ///   - machine: the name of the machine; nil if it has none.
  public init(configured: [String] = [], machine: String? = Self.machineName) {
    var names = ["localhost"]
    if let machine = machine.map(Self.normal), Self.isName(machine) {
      // Routers and mDNS know a machine by its first label.
      let first = String(machine.prefix { $0 != "." })
      names += [machine, first, "\(first).local"]
    }
    names += configured.map(Self.normal)
    self.names = names.enumerated().filter { names.firstIndex(of: $0.element) == $0.offset }.map(\.element)
  }

  /// The name of this machine.
  public static var machineName: String? {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
    let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.isEmpty ? nil : name
  }

  /// The addresses of this machine's network interfaces, besides loopback.
  public static var machineAddresses: [String] {
    let devices = (try? System.enumerateDevices()) ?? []
    return devices.compactMap(\.address?.ipAddress).filter { $0 != "127.0.0.1" && $0 != "::1" }
  }

  /// Whether a client may address this server by the value of `Host` or the authority of a URL: an IP address,
  /// `localhost`, a name below it, or one of ``names``; with a port or without.
  public func allows(authority: String) -> Bool {
    guard let host = Self.host(of: authority) else { return false }
    return host.hasSuffix(".localhost") || names.contains(host) || Self.isAddress(host)
  }

  /// Whether an origin, such as `https://comics.example.org:8353`, may be one of this server.
  public func allows(origin: String) -> Bool {
    guard let separator = origin.range(of: "://") else { return false }
    return allows(authority: String(origin[separator.upperBound...]))
  }

  /// The host of an authority in lower case, without port, brackets and trailing dot; nil if it is malformed.
  public static func host(of authority: String) -> String? {
    var host = authority[...]
    if let colon = authority.lastIndex(of: ":"), authority.last != "]" {
      let port = authority[authority.index(after: colon)...]
      guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), port.utf8.count <= 5 else { return nil }
      host = authority[..<colon]
    }
    if host.hasPrefix("[") {
      guard host.hasSuffix("]"), host.contains(":") else { return nil }
      let address = host.dropFirst().dropLast().lowercased()
      return isAddress(address) ? address : nil
    }
    let name = normal(String(host))
    return isName(name) ? name : nil
  }

  /// Whether a text can be the name of a host.
  public static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 253 && !text.hasPrefix(".")
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
      }
  }

  private static func isAddress(_ host: String) -> Bool {
    (try? SocketAddress(ipAddress: host, port: 0)) != nil
  }

  private static func normal(_ name: String) -> String {
    let name = name.lowercased()
    return name.hasSuffix(".") ? String(name.dropLast()) : name
  }
}
