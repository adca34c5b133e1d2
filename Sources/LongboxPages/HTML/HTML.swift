// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A piece of HTML that is well formed and escaped, because nothing else can be made.
///
/// It is bytes, ready to be sent; elements are put together by the functions in `Elements.swift` inside the closures
/// of ``HTMLBuilder``. Text becomes HTML by being escaped; only literals in our own source are taken as markup.
public struct HTML: Equatable, Sendable {
  /// The UTF-8 bytes.
  public private(set) var bytes: [UInt8]

  /// Nothing at all.
  public init() {
    bytes = []
  }

  /// Text, escaped.
  @_disfavoredOverload
  @inline(never)
  public init(_ text: Text) {
    bytes = []
    bytes.reserveCapacity(text.count + 16)
    HTMLEscape.append(text, to: &bytes)
  }

  /// Text that stands in our own source, escaped.
  @inline(never)
  init(_ literal: StaticString) {
    bytes = []
    bytes.reserveCapacity(literal.utf8CodeUnitCount + 16)
    HTMLEscape.append(literal, to: &bytes)
  }

  /// Markup that stands in our own source, such as an icon's drawing.
  init(trusted markup: StaticString) {
    bytes = markup.utf8Bytes
  }

  /// What another host made by the renderer of ours, such as `WikiDocument.html`, and handed over by a way that can be
  /// trusted: nothing is checked.
  public init(rendered bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// An element with its content.
  @inline(never)
  init(element name: StaticString, _ attributes: [Attribute], _ content: HTML) {
    self.init(startOf: name, attributes, room: content.bytes.count)
    bytes.append(contentsOf: content.bytes)
    bytes.append("</")
    bytes.append(name)
    bytes.append(UInt8(ascii: ">"))
  }

  /// An element that has no content by its nature, such as `img`.
  @inline(never)
  init(void name: StaticString, _ attributes: [Attribute]) {
    self.init(startOf: name, attributes, room: 0)
  }

  @inline(never)
  private init(startOf name: StaticString, _ attributes: [Attribute], room: Int) {
    var size = room + 2 * name.utf8CodeUnitCount + 5
    for attribute in attributes { size += attribute.bytes.count }
    bytes = []
    bytes.reserveCapacity(size)
    bytes.append(UInt8(ascii: "<"))
    bytes.append(name)
    for attribute in attributes { bytes.append(contentsOf: attribute.bytes) }
    bytes.append(UInt8(ascii: ">"))
  }

  mutating func append(_ other: HTML) {
    bytes.append(contentsOf: other.bytes)
  }

  @inline(never)
  static func + (left: consuming HTML, right: HTML) -> HTML {
    left.append(right)
    return left
  }
}

#if !hasFeature(Embedded)
extension HTML: CustomStringConvertible {
  /// The HTML as a string, for tests and people.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
#endif
