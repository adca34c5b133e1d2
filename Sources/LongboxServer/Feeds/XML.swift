// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A fragment of XML 1.0 that is always well formed: names are literals in our source, and text is escaped.
///
/// Characters that XML can't represent, such as most control characters, become U+FFFD (XML 1.0, section
/// 2.2).
struct XML: Equatable, Sendable {
  /// An attribute's name and its unescaped value; nil leaves the attribute out.
  typealias Attribute = (name: StaticString, value: String?)

  private(set) var bytes: [UInt8]

  /// An empty fragment.
  init() {
    bytes = []
  }

  /// An element with text content.
  init(_ name: StaticString, _ attributes: [Attribute] = [], text: String) {
    var inside = XML()
    inside.append(escaping: text, isValue: false)
    self.init(name, attributes) { inside }
  }

  /// An element with child elements, or an empty one.
  init(_ name: StaticString, _ attributes: [Attribute] = [], @XMLBuilder _ content: () -> XML = { XML() }) {
    bytes = [UInt8(ascii: "<")]
    bytes.append(name)
    for attribute in attributes {
      guard let value = attribute.value else { continue }
      bytes.append(" ")
      bytes.append(attribute.name)
      bytes.append("=\"")
      append(escaping: value, isValue: true)
      bytes.append("\"")
    }
    let inside = content()
    if inside.bytes.isEmpty {
      bytes.append("/>")
    } else {
      bytes.append(">")
      bytes += inside.bytes
      bytes.append("</")
      bytes.append(name)
      bytes.append(">")
    }
  }

  var document: [UInt8] {
    Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".utf8) + bytes + [UInt8(ascii: "\n")]
  }

  mutating func append(_ other: XML) {
    bytes += other.bytes
  }

  /// Escapes whitespace that a parser would change (sections 2.11 and 3.3.3).
  private mutating func append(escaping text: String, isValue: Bool) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": bytes.append("&amp;")
      case "<": bytes.append("&lt;")
      case ">": bytes.append("&gt;")
      case "\"": bytes.append("&quot;")
      case "\r": bytes.append("&#13;")
      case "\n" where isValue: bytes.append("&#10;")
      case "\t" where isValue: bytes.append("&#9;")
      case "\n", "\t": bytes += String(scalar).utf8
      default: bytes += String(Self.isCharacter(scalar) ? scalar : "\u{FFFD}").utf8
      }
    }
  }

  /// Swift's scalars have no surrogates, so those need no check.
  private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
  }
}

/// Concatenates the elements of a closure.
@resultBuilder
enum XMLBuilder {
  static func buildExpression(_ xml: XML) -> XML { xml }
  static func buildBlock(_ parts: XML...) -> XML { buildArray(parts) }
  static func buildOptional(_ xml: XML?) -> XML { xml ?? XML() }
  static func buildEither(first: XML) -> XML { first }
  static func buildEither(second: XML) -> XML { second }

  static func buildArray(_ parts: [XML]) -> XML {
    var all = XML()
    for part in parts { all.append(part) }
    return all
  }
}
