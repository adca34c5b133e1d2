// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Where a push service takes messages for one browser, as that browser has told (RFC 8030, section 2).
///
/// Whoever can reach this server can name any address, and would have the server send requests there. So an address has
/// to be plain: https, a public name, the usual port; where the name leads is checked before each connection
/// (``PushSender/withService(at:_:)``). Only services that the operator trusts may be elsewhere.
public struct PushEndpoint: Hashable, Sendable {
  /// Who answers at an endpoint: scheme, host and port.
  public struct Origin: Hashable, Sendable {
    /// `https`, or `http` where the operator trusts it.
    public let scheme: String
    /// The host in lower case; an IPv6 address stands in brackets.
    public let host: String
    /// The port, named or not.
    public let port: Int

    var defaultPort: Int { scheme == "https" ? 443 : 80 }
  }

  /// Who answers.
  public let origin: Origin
  /// Path and query, as they are sent.
  let target: String

  /// The longest endpoint, in bytes; those of known services have some 200.
  public static var longest: Int { 2048 }

  /// Reads an endpoint.
  /// - Parameters:
  ///   - text: as the browser gave it.
  ///   - trusted: services that may have any address, since the operator says so.
  /// - Throws: `EndpointRefusal` where no message should be sent there.
  public init(_ text: String, trusting trusted: Set<Origin> = []) throws(EndpointRefusal) {
    guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy(Self.isPlain) else {
      throw .malformed
    }
    guard let (scheme, rest) = text.splitAfterScheme else { throw .malformed }
    let end = rest.utf8.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    let authority = rest[..<end]
    guard !authority.utf8.contains(UInt8(ascii: "@")) else { throw .userInformation }
    guard let origin = Origin(scheme: scheme, authority: authority) else { throw .malformed }
    let target = rest[end...]
    guard target.utf8.first == UInt8(ascii: "/"), !target.utf8.contains(UInt8(ascii: "#")) else {
      throw .malformed
    }
    if !trusted.contains(origin) { try origin.checkIsPublic() }
    self.origin = origin
    self.target = String(target)
  }

  /// Printable ASCII, without what parsers of addresses are at odds about.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "^"),
      UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      false
    default: (0x21...0x7E).contains(byte)
    }
  }
}

extension PushEndpoint: CustomStringConvertible {
  /// The whole address.
  public var description: String { origin.description + target }
}

extension PushEndpoint.Origin: CustomStringConvertible {
  /// Scheme and host, with the port where it is not the scheme's own.
  public var description: String { "\(scheme)://\(authority)" }

  /// The host, with the port where it is not the scheme's own.
  var authority: String { port == defaultPort ? host : "\(host):\(port)" }

  /// Reads an origin that the operator trusts, such as `http://10.0.0.7:8080`, or nothing where it is none.
  public init?(_ text: String) {
    guard let (scheme, authority) = text.splitAfterScheme else { return nil }
    self.init(
      scheme: scheme,
      authority: authority.hasSuffix("/") ? authority.dropLast() : authority
    )
  }

  init?(scheme: Substring, authority: Substring) {
    let scheme = scheme.lowercased()
    guard scheme == "https" || scheme == "http" else { return nil }
    let hostEnd =
      authority.hasPrefix("[")
      ? authority.firstIndex(of: "]").map { authority.index(after: $0) }
      : authority.firstIndex(of: ":") ?? authority.endIndex
    guard let hostEnd else { return nil }
    let host = authority[..<hostEnd].lowercased()
    let isAddress = host.hasPrefix("[")
    guard (1...253).contains(host.utf8.count),
      host.utf8.allSatisfy({ Self.isAllowed($0, inAddress: isAddress) })
    else { return nil }
    self.scheme = scheme
    self.host = host
    let port = authority[hostEnd...]
    guard !port.isEmpty else {
      self.port = scheme == "https" ? 443 : 80
      return
    }
    let digits = port.dropFirst()
    guard port.hasPrefix(":"), (1...5).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits), (1...65_535).contains(number)
    else { return nil }
    self.port = number
  }

  /// What an IPv6 address in brackets, or a name or an IPv4 address, is written with.
  private static func isAllowed(_ byte: UInt8, inAddress: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "."): true
    case UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: "]"): inAddress
    case UInt8(ascii: "g")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"): !inAddress
    default: false
    }
  }

  /// Makes sure that this can be a public service, as far as its address tells.
  func checkIsPublic() throws(EndpointRefusal) {
    guard scheme == "https" else { throw .notEncrypted }
    guard port == 443 else { throw .port(port) }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard !host.hasPrefix("["), let last = labels.last, !Self.isNumber(last) else {
      throw .addressLiteral(host)
    }
    guard labels.count >= 2, !Self.localNames.contains(String(last)), labels.allSatisfy(Self.isLabel) else {
      throw .localName(host)
    }
  }

  /// Names that lead nowhere on the public internet (RFC 6761, RFC 6762, RFC 8375 and what networks at home use).
  private static let localNames: Set<String> = [
    "arpa", "corp", "example", "home", "internal", "intranet", "invalid", "lan", "local", "localdomain",
    "localhost",
    "onion", "private", "test",
  ]

  private static func isLabel(_ label: Substring) -> Bool {
    (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
  }

  /// Whether the host is an IPv4 address by the last part of it: 127.0.0.1, 2130706433, 0x7f.1, 017700000001 (URL Standard,
  /// "ends in a number").
  private static func isNumber(_ label: Substring) -> Bool {
    if !label.isEmpty, label.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    return label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit)
  }
}

extension String {
  /// What stands before `://`, and what after it.
  fileprivate var splitAfterScheme: (scheme: Substring, rest: Substring)? {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), utf8[colon...].starts(with: "://".utf8) else {
      return nil
    }
    return (self[..<colon], self[utf8.index(colon, offsetBy: 3)...])
  }
}
