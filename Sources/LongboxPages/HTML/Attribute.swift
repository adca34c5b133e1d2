// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// An attribute of an element, with its value escaped.
struct Attribute: Equatable {
  /// A space, the name, and the quoted value if there is one.
  private(set) var bytes: [UInt8]

  // Most values are literals in the source. The initializers are never inlined, and the literal one avoids a
  // `Text`, because there are hundreds of calls.

  /// An attribute with a literal value.
  @inline(never)
  init(_ name: StaticString, _ value: StaticString) {
    self.init(startOf: name, capacity: value.utf8CodeUnitCount)
    HTMLEscape.append(value, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  @_disfavoredOverload
  @inline(never)
  init(_ name: StaticString, _ value: Text) {
    self.init(startOf: name, capacity: value.count)
    HTMLEscape.append(value, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  @inline(never)
  private init(startOf name: StaticString, capacity: Int) {
    bytes = []
    bytes.reserveCapacity(name.utf8CodeUnitCount + capacity + 16)
    bytes.append(UInt8(ascii: " "))
    bytes.append(name)
    bytes.append("=\"")
  }

  /// An attribute whose value is an address.
  @inline(never)
  init(_ name: StaticString, _ link: Link) {
    let address = link.address
    self.init(startOf: name, capacity: address.count)
    append(address)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends an address, with a mark if it is a path of this site.
  private mutating func append(_ address: Text) {
    if Link.isPath(address) { bytes.append(HTML.mark) }
    HTMLEscape.append(address, to: &bytes)
  }

  /// A Boolean attribute, such as `open`.
  @inline(never)
  init(_ name: StaticString) {
    bytes = [UInt8(ascii: " ")]
    bytes.append(name)
  }

  init(_ name: StaticString, _ value: Int) {
    self.init(name, Text(decimal: value))
  }

  private init() {
    bytes = []
  }

  /// No attribute, for the other branch of a condition.
  static var none: Attribute { Attribute() }
  static func action(_ link: Link) -> Attribute { Attribute("action", link) }
  static func alt(_ text: Text) -> Attribute { Attribute("alt", text.withoutDirectionMarks) }
  static func `class`(_ names: StaticString) -> Attribute { Attribute("class", names) }
  @_disfavoredOverload
  static func `class`(_ names: Text) -> Attribute { Attribute("class", names) }
  static func href(_ link: Link) -> Attribute { Attribute("href", link) }
  static func id(_ name: StaticString) -> Attribute { Attribute("id", name) }
  @_disfavoredOverload
  static func id(_ name: Text) -> Attribute { Attribute("id", name) }
  static func label(_ text: StaticString) -> Attribute { Attribute("aria-label", text) }
  @_disfavoredOverload
  static func label(_ text: Text) -> Attribute { Attribute("aria-label", text.withoutDirectionMarks) }
  static func role(_ name: StaticString) -> Attribute { Attribute("role", name) }
  @_disfavoredOverload
  static func role(_ name: Text) -> Attribute { Attribute("role", name) }
  static func src(_ link: Link) -> Attribute { Attribute("src", link) }
  /// A picture, and the same in double size.
  static func srcset(_ plain: Link, _ double: Link) -> Attribute {
    var attribute = Attribute(startOf: "srcset", capacity: 80)
    attribute.append(plain.address)
    attribute.bytes.append(" 1x, ")
    attribute.append(double.address)
    attribute.bytes.append(" 2x\"")
    return attribute
  }
  static func title(_ text: StaticString) -> Attribute { Attribute("title", text) }
  @_disfavoredOverload
  static func title(_ text: Text) -> Attribute { Attribute("title", text) }
}
