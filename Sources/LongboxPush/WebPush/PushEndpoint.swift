// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The address at which a push service takes messages for one browser (RFC 8030, section 2).
///
/// Any client can submit one and make the server send requests there. So it must be https, with a public
/// name and the usual port. The resolved addresses are checked before each connection
/// (``PushSender/withService(at:_:)``). Only services that the operator trusts are exempt.
public struct PushEndpoint: Hashable, Sendable {
  /// The scheme, host and port of a push service.
  public struct Origin: Hashable, Sendable {
    /// `https`, or `http` if the operator trusts the service.
    public let scheme: String
    /// The host in lower case; IPv6 addresses have brackets.
    public let host: String
    /// The port, also when the address doesn't name it.
    public let port: Int

    var defaultPort: Int { scheme == "https" ? 443 : 80 }
  }

  /// The push service.
  public let origin: Origin
  /// Path and query, as sent.
  let target: String

  /// The maximum length in bytes; known services use about 200.
  public static var longest: Int { 2048 }

  /// Parses an endpoint; services in `trusted` may have any address.
  /// - Throws: `EndpointRejection` if no message should be sent there.
  public init(_ text: String, trusting trusted: Set<Origin> = []) throws(EndpointRejection) {
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

  /// Printable ASCII, except characters that URL parsers treat differently.
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
  public var description: String { origin.description + target }
}

extension PushEndpoint.Origin: CustomStringConvertible {
  /// Scheme and host, with the port if it isn't the default.
  public var description: String { "\(scheme)://\(authority)" }

  /// The host, with the port if it isn't the default.
  var authority: String { port == defaultPort ? host : "\(host):\(port)" }

  /// Parses an origin that the operator trusts, such as `http://10.0.0.7:8080`; nil if invalid.
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

  /// The characters of a bracketed IPv6 address, or of a name or IPv4 address.
  private static func isAllowed(_ byte: UInt8, inAddress: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "."): true
    case UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: "]"): inAddress
    case UInt8(ascii: "g")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"): !inAddress
    default: false
    }
  }

  /// Checks scheme, port and host; does not resolve the name.
  func checkIsPublic() throws(EndpointRejection) {
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

  /// Top-level names outside the public DNS (RFC 6761, RFC 6762, RFC 8375, and common home networks).
  private static let localNames: Set<String> = [
    "arpa", "corp", "example", "home", "internal", "intranet", "invalid", "lan", "local", "localdomain",
    "localhost",
    "onion", "private", "test",
  ]

  private static func isLabel(_ label: Substring) -> Bool {
    (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
  }

  /// Whether the last label makes the host an IPv4 address, such as 127.0.0.1, 2130706433, 0x7f.1 or
  /// 017700000001 (URL Standard, "ends in a number").
  private static func isNumber(_ label: Substring) -> Bool {
    if !label.isEmpty, label.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    return label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit)
  }
}

extension String {
  /// The parts before and after `://`.
  fileprivate var splitAfterScheme: (scheme: Substring, rest: Substring)? {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), utf8[colon...].starts(with: "://".utf8) else {
      return nil
    }
    return (self[..<colon], self[utf8.index(colon, offsetBy: 3)...])
  }
}

/// Why no message is sent to an endpoint.
///
/// Each description is a sentence for the operator or the subscriber.
public enum EndpointRejection: Error, Equatable, Sendable {
  /// The text isn't an absolute https address.
  case malformed
  case notEncrypted
  /// The address contains a user name or a password.
  case userInformation
  /// The port isn't 443.
  case port(Int)
  /// The host is an IP address; public push services have names.
  case addressLiteral(String)
  /// The host name belongs to a private network.
  case localName(String)
  /// The host name doesn't exist, or no name server answers in time.
  case unknownHost(String)
  /// The host name resolves to an address that isn't public.
  case privateAddress(host: String, address: String)
}

extension EndpointRejection: CustomStringConvertible {
  /// A sentence that says what is wrong with the endpoint.
  public var description: String {
    switch self {
    case .malformed: "The address of the push service is not a complete and plain https address."
    case .notEncrypted: "The address of the push service is not https."
    case .userInformation: "The address of the push service holds a name or a password."
    case .port(let port): "The address of the push service names the port \(port); only 443 is taken."
    case .addressLiteral(let host): "The address of the push service is a number (\(host)) and not a name."
    case .localName(let host): "\(host) is a name of a private network, not of a public push service."
    case .unknownHost(let host):
      "The name of the push service, \(host), is not known, or no name server answers."
    case .privateAddress(let host, let address):
      "The name of the push service, \(host), leads to \(address), which is not a public address."
    }
  }
}
