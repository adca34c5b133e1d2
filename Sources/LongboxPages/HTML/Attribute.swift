// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// An attribute of an element, its value escaped.
struct Attribute: Equatable {
  /// A space, the name, and the quoted value where there is one.
  let bytes: [UInt8]

  /// An attribute with a value that stands in our own source.
  ///
  /// Most do; without the way over a `Text` each of them is less of WebAssembly.
  @inline(never)
  init(_ name: StaticString, _ value: StaticString) {
    self.init(name, Text(stringLiteral: value))
  }

  /// An attribute with a value.
  @_disfavoredOverload
  init(_ name: StaticString, _ value: Text) {
    var bytes = [UInt8(ascii: " ")]
    bytes.append(contentsOf: name.utf8Bytes)
    bytes.append(UInt8(ascii: "="))
    bytes.append(UInt8(ascii: "\""))
    HTMLEscape.append(value.bytes, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
    self.bytes = bytes
  }

  /// An attribute that is there or not, such as `open`.
  init(_ name: StaticString) {
    bytes = [UInt8(ascii: " ")] + name.utf8Bytes
  }

  init(_ name: StaticString, _ value: Int) {
    self.init(name, Text(decimal: value))
  }

  private init() {
    bytes = []
  }

  /// No attribute, for the other branch of a condition.
  static var none: Attribute { Attribute() }
  static func alt(_ text: Text) -> Attribute { Attribute("alt", text) }
  static func `class`(_ names: StaticString) -> Attribute { Attribute("class", names) }
  @_disfavoredOverload
  static func `class`(_ names: Text) -> Attribute { Attribute("class", names) }
  static func href(_ link: Link) -> Attribute { Attribute("href", link.address) }
  static func id(_ name: StaticString) -> Attribute { Attribute("id", name) }
  @_disfavoredOverload
  static func id(_ name: Text) -> Attribute { Attribute("id", name) }
  static func label(_ text: StaticString) -> Attribute { Attribute("aria-label", text) }
  @_disfavoredOverload
  static func label(_ text: Text) -> Attribute { Attribute("aria-label", text) }
  static func role(_ name: StaticString) -> Attribute { Attribute("role", name) }
  @_disfavoredOverload
  static func role(_ name: Text) -> Attribute { Attribute("role", name) }
  static func src(_ link: Link) -> Attribute { Attribute("src", link.address) }
  static func title(_ text: StaticString) -> Attribute { Attribute("title", text) }
  @_disfavoredOverload
  static func title(_ text: Text) -> Attribute { Attribute("title", text) }
}
