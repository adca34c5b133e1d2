// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// An http or https address, kept verbatim from the path on.
///
/// Foundation's `URL` normalises, but `%3F%3F%3F.png` and `barrel_cropped_(1).jpg` must reach the source byte
/// for byte. This type decides which hosts are asked, so it is strict where parsers differ: no user
/// information, backslashes or control characters.
public struct WebAddress: Hashable, Sendable {
  public enum Scheme: String, Hashable, Sendable {
    /// Plain HTTP.
    case http
    /// HTTP over TLS.
    case https

    public var defaultPort: Int {
      switch self {
      case .http: 80
      case .https: 443
      }
    }
  }

  /// Scheme, host and port of an address (RFC 6454).
  public struct Origin: Hashable, Sendable {
    public var scheme: Scheme
    /// The host in lower case; an IPv6 address is in brackets.
    public var host: String
    /// The port, or the scheme's default.
    public var port: Int

    public init(scheme: Scheme, host: String, port: Int) {
      self.scheme = scheme
      self.host = host
      self.port = port
    }
  }

  /// Scheme, host and port.
  public var origin: Origin
  /// Path and query as they are sent, percent-encoding kept; begins with a slash.
  public var target: String

  init(origin: Origin, target: String) {
    self.origin = origin
    self.target = target
  }

  /// Parses an address; nil if it is not a complete and plain http or https address.
  ///
  /// A fragment is dropped, because it is never sent. Spaces and letters beyond ASCII are percent-encoded.
  public init?(_ string: String) {
    guard string.utf8.count <= 2048, let mark = string.range(of: "://") else { return nil }
    guard let scheme = Scheme(rawValue: string[..<mark.lowerBound].lowercased()) else { return nil }
    let rest = string[mark.upperBound...].prefix { $0 != "#" }
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    guard let (host, port) = Self.hostAndPort(rest[..<end]) else { return nil }
    guard let target = Self.encoded(rest[end...]) else { return nil }
    origin = Origin(scheme: scheme, host: host, port: port ?? scheme.defaultPort)
    self.target = target.hasPrefix("/") ? target : "/" + target
  }

  /// Parses an operator's setting; the address may be private or loopback.
  init(base text: String, setting: String) throws(SettingError) {
    guard let address = WebAddress(text), !text.contains("?"), !text.contains("#") else {
      throw .address(setting: setting, value: text)
    }
    self = address
  }

  /// Parses an operator's setting if there is one.
  init(base text: String?, setting: String, default standard: WebAddress) throws(SettingError) {
    self = standard
    if let text { self = try WebAddress(base: text, setting: setting) }
  }

  /// Resolves a reference in a reply from this address, such as a `Location` (RFC 3986 section 5).
  public func resolving(_ reference: String) -> WebAddress? {
    guard let base = URL(string: description) else { return nil }
    return URL(string: reference, relativeTo: base).flatMap { WebAddress($0.absoluteString) }
  }

  /// The address of something below this one.
  func appending(_ rest: String) -> WebAddress {
    WebAddress(origin: origin, target: target + (target.hasSuffix("/") ? "" : "/") + rest)
  }

  /// The address with a query of percent-encoded fields.
  func asking(_ fields: [(name: String, value: String)]) -> WebAddress {
    let query = fields.map { "\(Self.queryEncoded($0.name))=\(Self.queryEncoded($0.value))" }
    return WebAddress(origin: origin, target: target + "?" + query.joined(separator: "&"))
  }

  private static func queryEncoded(_ value: String) -> String {
    let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8
    var bytes: [UInt8] = []
    for byte in value.utf8 {
      if plain.contains(byte) {
        bytes.append(byte)
      } else {
        bytes.appendPercentEncoded(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hostAndPort(_ authority: Substring) -> (host: String, port: Int?)? {
    let isBracketed = authority.hasPrefix("[")
    let hostEnd =
      isBracketed
      ? authority.firstIndex(of: "]").map { authority.index(after: $0) }
      : authority.firstIndex(of: ":") ?? authority.endIndex
    guard let hostEnd else { return nil }
    let host = authority[..<hostEnd].lowercased()
    let name = isBracketed ? host.dropFirst().dropLast() : host[...]
    let allowed = isBracketed ? "0123456789abcdef:." : "abcdefghijklmnopqrstuvwxyz0123456789-._"
    guard !name.isEmpty, name.utf8.count <= 253, name.allSatisfy(allowed.contains) else { return nil }
    let tail = authority[hostEnd...]
    guard !tail.isEmpty else { return (host, nil) }
    let digits = tail.dropFirst()
    guard tail.hasPrefix(":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    guard let port = Int(digits), (1...65_535).contains(port) else { return nil }
    return (host, port)
  }

  private static func encoded(_ target: Substring) -> String? {
    let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?@!$&'()*+,;=%".utf8
    var bytes: [UInt8] = []
    for byte in target.utf8 {
      if plain.contains(byte) {
        bytes.append(byte)
      } else if byte == 0x20 || byte >= 0x80 {
        bytes.appendPercentEncoded(byte)
      } else {
        return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension WebAddress: CustomStringConvertible {
  public var description: String { origin.description + target }
}

extension WebAddress.Origin: CustomStringConvertible {
  /// Scheme and host, with the port if it is not the scheme's default.
  public var description: String {
    "\(scheme.rawValue)://\(host)" + (port == scheme.defaultPort ? "" : ":\(port)")
  }
}

/// An operator's setting that can't be used.
public enum SettingError: Error, Equatable, Sendable {
  /// The setting with this name is not an http or https address.
  case address(setting: String, value: String)
  /// The contact can't be part of a User-Agent.
  case contact(String)
}

extension SettingError: CustomStringConvertible {
  /// A sentence that says what to change.
  public var description: String {
    switch self {
    case .address(let setting, let value):
      """
      \(setting) is “\(value)”, which is not an address that Longbox can use: write http:// or https://, a host, \
      and perhaps a path, without user name, query or fragment.
      """
    case .contact(let value):
      """
      LONGBOX_CONTACT is “\(value)”, which can't be sent as a contact: write an e-mail address or a URL in plain \
      letters, without parentheses or backslashes, of at most 200 characters.
      """
    }
  }
}
