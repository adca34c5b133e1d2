// Longbox
// SPDX-License-Identifier: MIT

/// The host in a `Host` field, without port.
struct HostField: Equatable, Sendable {
  /// In lower case, without brackets and without the dot at the end.
  let name: String
  /// The port, with its colon; empty for the default.
  let port: String

  /// Reads the field; nil if it is missing or malformed.
  init?(_ authority: String?) {
    guard let address = PublicAddress(authority: authority, isSecure: false) else { return nil }
    let host = address.host.lowercased()
    port = String(address.authority.dropFirst(host.count))
    guard port.isEmpty || (port.hasPrefix(":") && port.dropFirst().allSatisfy(\.isNumber)) else { return nil }
    if host.hasPrefix("[") {
      name = String(host.dropFirst().dropLast())
    } else {
      name = host.hasSuffix(".") ? String(host.dropLast()) : host
    }
    guard !name.isEmpty else { return nil }
  }

  /// Whether it names this machine by its loopback name or address.
  var isLoopback: Bool {
    name == "localhost" || name.hasSuffix(".localhost") || name == "127.0.0.1" || name == "::1"
  }

  /// Whether it is an IP address; a page of another site can't reach this server under one.
  var isAddress: Bool {
    name.contains(":") || (name.contains(".") && name.allSatisfy { $0.isNumber || $0 == "." })
  }
}
