// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

/// The address by which a reader reaches this server, according to the browser or a reverse proxy.
struct PublicAddress: Equatable {
  private static let longest = 255

  let scheme: String
  /// The host, and the port unless it is the default of the scheme.
  let authority: String

  /// Reads the address from a request; nil if `Host` is invalid.
  init?(of request: Request) {
    self.init(of: request.head)
  }

  init?(of head: HTTPRequest) {
    self.init(authority: head.authority, isSecure: head.isSecure)
  }

  init?(authority: String?, isSecure: Bool) {
    guard
      let authority, !authority.isEmpty, authority.utf8.count <= Self.longest,
      authority.utf8.allSatisfy({ Self.isOfAuthority($0) })
    else { return nil }
    self.authority = authority
    scheme = isSecure ? "https" : "http"
  }

  private static func isOfAuthority(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"): true
    case UInt8(ascii: "["), UInt8(ascii: "]"): true
    default: false
    }
  }

  var origin: String { "\(scheme)://\(authority)" }

  /// The absolute address of a path.
  func link(to path: String) -> String { origin + path }

  /// The path of an address on this server, with either scheme, without query and fragment; nil for other
  /// servers.
  func path(of address: String) -> String? {
    for scheme in ["http", "https"] {
      let start = "\(scheme)://\(authority)/"
      guard address.count >= start.count, address.prefix(start.count).lowercased() == start.lowercased()
      else {
        continue
      }
      return "/" + address.dropFirst(start.count).prefix { $0 != "?" && $0 != "#" }
    }
    return nil
  }

  var host: String {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return String(authority[...end]) }
    return String(authority.prefix { $0 != ":" })
  }

  /// Whether the host is the local machine (RFC 6761, section 6.3; RFC 6890).
  var isLoopback: Bool {
    let host = host.lowercased()
    let isIPv4 = host.allSatisfy { $0.isNumber || $0 == "." }
    return host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" || host == "0.0.0.0"
      || (isIPv4 && host.hasPrefix("127."))
  }
}
