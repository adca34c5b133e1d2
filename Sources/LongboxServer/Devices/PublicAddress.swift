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
    self.init(authority: request.head.authority, isSecure: request.isSecure)
  }

  init?(authority: String?, isSecure: Bool) {
    guard
      let authority, !authority.isEmpty, authority.utf8.count <= Self.longest,
      authority.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".-_:[]".contains($0)) })
    else { return nil }
    self.authority = authority
    scheme = isSecure ? "https" : "http"
  }

  /// The whole address of a path with its query.
  func link(to path: String) -> String { "\(scheme)://\(authority)\(path)" }

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
