// Longbox
// SPDX-License-Identifier: MIT

/// The address by which readers reach this server, according to the operator, the browser or a reverse proxy.
public struct PublicAddress: Equatable, Sendable {
  private static let longest = 255

  let scheme: String
  /// The host, and the port unless it is the default of the scheme.
  let authority: String
  /// The path below which the site is.
  public var basePath: BasePath

  /// Reads an address such as `https://comics.example.org/longbox`; nil if it is malformed.
  public init?(url: String) {
    guard let separator = url.firstRange(of: "://"),
      let scheme = ForwardedHop.scheme(url[..<separator.lowerBound])
    else { return nil }
    let rest = url[separator.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    guard let host = HostField(String(authority)),
      let basePath = BasePath(String(rest[authority.endIndex...]))
    else { return nil }
    let name = host.name.contains(":") ? "[\(host.name)]" : host.name
    let isDefaultPort = host.port == (scheme == "https" ? ":443" : ":80")
    self.init(
      authority: isDefaultPort ? name : name + host.port,
      isSecure: scheme == "https",
      basePath: basePath
    )
  }

  /// An address; nil if the host is missing or invalid.
  init?(authority: String?, isSecure: Bool, basePath: BasePath = BasePath()) {
    guard
      let authority, !authority.isEmpty, authority.utf8.count <= Self.longest,
      authority.utf8.allSatisfy({ Self.isOfAuthority($0) })
    else { return nil }
    self.authority = authority
    self.basePath = basePath
    scheme = isSecure ? "https" : "http"
  }

  private static func isOfAuthority(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"): true
    // The percent sign is in IPv6 addresses that name a network interface.
    case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "%"): true
    default: false
    }
  }

  /// Scheme, host, port and base path; a path of the site comes after it.
  var root: String { "\(scheme)://\(authority)\(basePath.text)" }

  /// The absolute address of a path.
  func link(to path: String) -> String { root + path }

  /// The path of an address on this server, with either scheme, without base path, query and fragment; nil for other
  /// addresses.
  func path(of address: String) -> String? {
    for scheme in ["http", "https"] {
      let start = "\(scheme)://\(authority)/"
      guard address.count >= start.count, address.prefix(start.count).lowercased() == start.lowercased()
      else {
        continue
      }
      return basePath.rest(of: "/" + address.dropFirst(start.count).prefix { $0 != "?" && $0 != "#" })
    }
    return nil
  }

  /// The host, without the port.
  public var host: String {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return String(authority[...end]) }
    return String(authority.prefix { $0 != ":" })
  }

  /// The ends of names that only a machine or a network of its own knows (RFC 6761, 6762 and 8375; ICANN for `internal`).
  private static let localEndings = ["localhost", "local", "internal", "home.arpa", "test", "invalid"]

  /// Whether people elsewhere may reach the address, as far as it says: its host has a name that all networks may know, or an IP
  /// address that is not private.
  var isPublic: Bool {
    guard let field = HostField(authority) else { return false }
    if field.isAddress { return IPAddress(text: field.name).map { !$0.isLocal } ?? false }
    return field.name.contains(".")
      && !Self.localEndings.contains { field.name == $0 || field.name.hasSuffix("." + $0) }
  }

  /// Whether no other machine can use the address: it is of loopback, or the wildcard that the server listens at.
  var isLoopback: Bool {
    guard let field = HostField(authority) else { return false }
    return field.isLoopback || field.name == "0.0.0.0" || IPAddress(text: field.name)?.isLoopback == true
  }
}
