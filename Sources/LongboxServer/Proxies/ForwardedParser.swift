// Longbox
// SPDX-License-Identifier: MIT

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
