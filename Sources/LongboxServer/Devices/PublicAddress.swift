// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

/// The address under which a reader reaches this server, as their browser or a proxy before us says.
struct PublicAddress: Equatable {
  private static let longest = 255

  /// `http` or `https`.
  let scheme: String
  /// The host, and the port where it is not the scheme's own.
  let authority: String

  /// Reads the address of a request, or nothing where its `Host` is none.
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

  /// Scheme, host and port.
  var origin: String { "\(scheme)://\(authority)" }

  /// The whole address of a path with its query.
  func link(to path: String) -> String { origin + path }

  /// The path of an address of this server, by either scheme, without query and fragment; nothing of any other address.
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

  /// The host without the port.
  var host: String {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return String(authority[...end]) }
    return String(authority.prefix { $0 != ":" })
  }

  /// Whether the host is a name by which each machine means itself (RFC 6761, section 6.3; RFC 6890).
  var isLoopback: Bool {
    let host = host.lowercased()
    let isIPv4 = host.allSatisfy { $0.isNumber || $0 == "." }
    return host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" || host == "0.0.0.0"
      || (isIPv4 && host.hasPrefix("127."))
  }
}
