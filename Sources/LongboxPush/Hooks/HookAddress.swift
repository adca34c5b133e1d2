// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The parts of a hook's address, `scheme://user:password@host/path?name=value`.
///
/// Hosts and ports are not checked here: several services have a token in that place.
struct HookAddress {
  /// In lower case.
  let scheme: String
  /// What is before `@`, decoded, split at the first colon.
  let user, password: String?
  /// What is between `//` or `@` and the path, as it was written.
  let authority: String
  /// The parts of the path, decoded, without empty ones.
  let path: [String]
  /// The path and the query as they were written.
  let rest: String
  /// The query's values by their names in lower case, decoded.
  let query: [String: String]

  /// The longest address, in bytes.
  static let limit = 2048

  /// Splits an address; nil if it is too long, has odd characters, or has no scheme or nothing after it.
  init?(_ text: String) {
    guard text.utf8.count <= Self.limit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 }),
      let separator = text.range(of: "://")
    else { return nil }
    scheme = text[..<separator.lowerBound].lowercased()
    let all = text[separator.upperBound...]
    let main = all.prefix { $0 != "?" }
    let named = main.prefix { $0 != "/" }
    if let at = named.firstIndex(of: "@") {
      let parts = named[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = parts[0].removingPercentEncoding
      password = parts.count > 1 ? parts[1].removingPercentEncoding : nil
      authority = String(named[named.index(after: at)...])
    } else {
      (user, password) = (nil, nil)
      authority = String(named)
    }
    guard !scheme.isEmpty, !authority.isEmpty else { return nil }
    rest = String(all[named.endIndex...])
    path = main[named.endIndex...].split(separator: "/").compactMap(\.removingPercentEncoding)
    query = all[main.endIndex...].dropFirst().split(separator: "&").reduce(into: [:]) { query, item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query[parts[0].lowercased()] = parts.count > 1 ? parts[1].removingPercentEncoding ?? "" : ""
    }
  }

  /// The authority if it is a host, perhaps with a port; with the service's own port if it names none.
  func host(port: Int? = nil) -> String? {
    let allowed = authority.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: ".-_:[]".utf8.contains(byte)
      }
    }
    guard allowed, let parts = URLComponents(string: "http://\(authority)"), let name = parts.host,
      !name.isEmpty,
      (1...65_535).contains(parts.port ?? 80)
    else { return nil }
    return parts.port == nil ? port.map { "\(authority):\($0)" } ?? authority : authority
  }
}

extension String {
  /// The text as one part of a path: everything but unreserved characters is encoded (RFC 3986, section 2.3).
  var asPathPart: String {
    let unreserved = CharacterSet(charactersIn: "a"..."z").union(CharacterSet(charactersIn: "A"..."Z"))
      .union(CharacterSet(charactersIn: "0"..."9")).union(CharacterSet(charactersIn: "-._~"))
    return addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  /// Whether it is one or more ASCII letters, digits, `-`, `_`, or one of the given characters.
  func isToken(or others: String = "") -> Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: others.utf8.contains(byte)
        }
      }
  }
}
