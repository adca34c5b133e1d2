// Longbox
// SPDX-License-Identifier: MIT

/// What a proxy says about the sender of a request.
struct ForwardedHop: Equatable, Sendable {
  /// The sender's address; nil if the proxy doesn't name it, or not by an address.
  var client: IPAddress?
  /// The scheme that the sender used: `http` or `https`.
  var scheme: String?
  /// The host and port that the sender asked for.
  var host: String?

  /// Reads `Forwarded` (RFC 7239, section 4), the last proxy last; nil if any part is malformed.
  ///
  /// The first part may come from the client. With an unclosed quote, a client could hide the parts that proxies added.
  /// So a field with any malformed part is rejected.
  static func standard(_ field: String) -> [ForwardedHop]? {
    var parser = ForwardedParser(field)
    return parser.hops()
  }

  /// Reads `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host`, the last proxy last.
  ///
  /// Some proxies make lists of all three, others replace scheme and host. If a list is not as long as that of
  /// addresses, its last value counts for all.
  static func common(clients: String?, schemes: String?, hosts: String?) -> [ForwardedHop] {
    let clients = list(clients)
    let schemes = list(schemes)
    let hosts = list(hosts)
    return (0..<max(1, clients.count)).map { index in
      func value(_ list: [Substring]) -> Substring? {
        list.count == clients.count && !list.isEmpty ? list[index] : list.last
      }
      return ForwardedHop(
        client: clients.isEmpty ? nil : address(clients[index]),
        scheme: value(schemes).flatMap { scheme($0) },
        host: value(hosts).flatMap { host($0) }
      )
    }
  }

  /// The values of a list.
  static func list(_ field: String?) -> [Substring] {
    guard let field else { return [] }
    return field.split(separator: ",", omittingEmptySubsequences: false).map { value in
      var value = value.drop { $0 == " " || $0 == "\t" }
      while value.last == " " || value.last == "\t" { value.removeLast() }
      return value
    }
  }

  /// An address, with a port or without; nil for anything else, such as `unknown`.
  static func address(_ text: some StringProtocol) -> IPAddress? {
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
      return IPAddress(text: text[text.index(after: text.startIndex)..<end])
    }
    guard let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") else {
      return IPAddress(text: text)
    }
    return isPort(text[colon...]) ? IPAddress(text: text[..<colon]) : nil
  }

  /// A scheme in lower case; nil if it is neither `http` nor `https`.
  static func scheme(_ text: some StringProtocol) -> String? {
    let scheme = text.lowercased()
    return scheme == "http" || scheme == "https" ? scheme : nil
  }

  /// A host with its port; nil if it is malformed.
  static func host(_ text: some StringProtocol) -> String? {
    let host = String(text)
    return HostField(host) == nil ? nil : host
  }

  /// Whether a text is empty, or a colon and a port.
  private static func isPort(_ text: some StringProtocol) -> Bool {
    text.isEmpty
      || (text.hasPrefix(":") && (2...6).contains(text.utf8.count)
        && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) })
  }
}

/// Parses a `Forwarded` field (RFC 7239, section 4).
struct ForwardedParser {
  private var rest: Substring.UTF8View

  init(_ field: String) {
    rest = field[...].utf8
  }

  /// Reads all elements; nil if the field is malformed.
  mutating func hops() -> [ForwardedHop]? {
    var hops: [ForwardedHop] = []
    repeat {
      guard let hop = hop() else { return nil }
      hops.append(hop)
    } while take(",")
    return rest.isEmpty ? hops : nil
  }

  /// Reads the pairs of one element.
  private mutating func hop() -> ForwardedHop? {
    var hop = ForwardedHop()
    var names: Set<String> = []
    repeat {
      skipSpace()
      guard let name = token()?.lowercased(), take("="), let value = take("\"") ? quoted() : token(),
        names.insert(name).inserted
      else { return nil }
      switch name {
      case "for": hop.client = ForwardedHop.address(value)
      case "proto": hop.scheme = ForwardedHop.scheme(value)
      case "host": hop.host = ForwardedHop.host(value)
      default: break
      }
      skipSpace()
    } while take(";")
    return hop
  }

  /// Reads a token (RFC 9110, section 5.6.2).
  private mutating func token() -> String? {
    let token = rest.prefix { Self.isOfToken($0) }
    guard !token.isEmpty else { return nil }
    rest = rest[token.endIndex...]
    return String(Substring(token))
  }

  /// Reads the rest of a quoted string; nil if it doesn't end.
  private mutating func quoted() -> String? {
    var bytes: [UInt8] = []
    while var byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst() else { return nil }
        byte = escaped
      }
      bytes.append(byte)
    }
    return nil
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    // Colons are not part of tokens, but proxies write ports and hosts without quotes.
    case UInt8(ascii: ":"): true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
