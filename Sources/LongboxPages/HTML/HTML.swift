// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Well-formed, escaped HTML.
///
/// The functions in `Elements.swift` make elements, inside closures of ``HTMLBuilder``. Text is always escaped; only
/// literals in the source count as markup.
public struct HTML: Equatable, Sendable {
  /// UTF-8 with ``mark`` before each path of this site; ``bytes(below:)`` puts the base path there.
  private(set) var bytes: [UInt8]

  /// A byte that escaped text never contains.
  static let mark: UInt8 = 0

  public init() {
    bytes = []
  }

  /// Escapes text.
  @_disfavoredOverload
  @inline(never)
  public init(_ text: Text) {
    bytes = []
    bytes.reserveCapacity(text.count + 16)
    HTMLEscape.append(text, to: &bytes)
  }

  /// Escapes a literal.
  @inline(never)
  init(_ literal: StaticString) {
    bytes = []
    bytes.reserveCapacity(literal.utf8CodeUnitCount + 16)
    HTMLEscape.append(literal, to: &bytes)
  }

  /// Literal markup, such as an icon.
  init(trusted markup: StaticString) {
    bytes = markup.utf8Bytes
  }

  /// HTML that another host rendered with this module below the same base path, such as `WikiDocument.html`.
  ///
  /// Nothing is checked, so the source must be trusted.
  public init(rendered bytes: [UInt8]) {
    self.bytes = bytes
  }

  @inline(never)
  init(element name: StaticString, _ attributes: [Attribute], _ content: HTML) {
    self.init(startOf: name, attributes, capacity: content.bytes.count)
    bytes.append(contentsOf: content.bytes)
    bytes.append("</")
    bytes.append(name)
    bytes.append(UInt8(ascii: ">"))
  }

  /// A void element, such as `img`.
  @inline(never)
  init(void name: StaticString, _ attributes: [Attribute]) {
    self.init(startOf: name, attributes, capacity: 0)
  }

  @inline(never)
  private init(startOf name: StaticString, _ attributes: [Attribute], capacity: Int) {
    var size = capacity + 2 * name.utf8CodeUnitCount + 5
    for attribute in attributes { size += attribute.bytes.count }
    bytes = []
    bytes.reserveCapacity(size)
    bytes.append(UInt8(ascii: "<"))
    bytes.append(name)
    for attribute in attributes { bytes.append(contentsOf: attribute.bytes) }
    bytes.append(UInt8(ascii: ">"))
  }

  /// Whether there is nothing in it.
  var isEmpty: Bool { bytes.isEmpty }

  /// The UTF-8 bytes to send.
  /// - Parameter basePath: the path below which this site is, such as `/longbox`; empty if it has a host of its own.
  public func bytes(below basePath: Text) -> [UInt8] {
    var placed: [UInt8] = []
    placed.reserveCapacity(bytes.count)
    bytes.withUnsafeBufferPointer { bytes in
      // Copies runs between marks at once.
      var start = 0
      for place in bytes.indices where bytes[place] == Self.mark {
        placed.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<place]))
        placed.append(contentsOf: basePath.bytes)
        start = place + 1
      }
      placed.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
    }
    return placed
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
extension HTML {
  /// The UTF-8 bytes of a static copy's page: paths lead to its files.
  /// - Parameters:
  ///   - basePath: as for ``bytes(below:)``.
  ///   - files: where the files are.
  func bytes(below basePath: Text, in files: StaticFiles) -> [UInt8] {
    var placed: [UInt8] = []
    placed.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let place = rest.firstIndex(of: Self.mark) {
      placed.append(contentsOf: rest[..<place])
      placed.append(contentsOf: basePath.bytes)
      rest = rest[(place + 1)...]
      let end = rest.firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: " ") } ?? rest.endIndex
      guard let path = files.path(of: Text(rest[..<end])) else { continue }
      placed.append(contentsOf: path.bytes)
      rest = rest[end...]
    }
    placed.append(contentsOf: rest)
    return placed
  }

  /// The HTML as a string, to send.
  /// - Parameter basePath: as for ``bytes(below:)``.
  public func string(below basePath: Text) -> String {
    String(decoding: bytes(below: basePath), as: UTF8.self)
  }

  /// The HTML of a site without a base path.
  var description: String { string(below: .empty) }
}
#endif

/// Concatenates the statements of a closure.
@resultBuilder
enum HTMLBuilder {
  static func buildExpression(_ html: HTML) -> HTML { html }
  static func buildExpression(_ literal: StaticString) -> HTML { HTML(literal) }
  @_disfavoredOverload
  static func buildExpression(_ text: Text) -> HTML { HTML(text) }
  static func buildExpression(_ number: Int) -> HTML { HTML(Text(decimal: number)) }
  static func buildBlock() -> HTML { HTML() }
  static func buildPartialBlock(first: HTML) -> HTML { first }

  static func buildPartialBlock(accumulated: consuming HTML, next: consuming HTML) -> HTML {
    accumulated + next
  }

  static func buildOptional(_ html: HTML?) -> HTML { html ?? HTML() }
  static func buildEither(first: HTML) -> HTML { first }
  static func buildEither(second: HTML) -> HTML { second }

  static func buildArray(_ parts: [HTML]) -> HTML {
    var all = HTML()
    for part in parts { all.append(part) }
    return all
  }
}

/// Escapes text for HTML content and quoted attribute values.
enum HTMLEscape {
  /// Not inlined, because every text and attribute calls it.
  @inline(never)
  static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    // Copies runs without escapes at once.
    var start = 0
    for place in text.indices {
      let escaped: StaticString
      switch text[place] {
      case UInt8(ascii: "&"): escaped = "&amp;"
      case UInt8(ascii: "<"): escaped = "&lt;"
      case UInt8(ascii: ">"): escaped = "&gt;"
      case UInt8(ascii: "\""): escaped = "&quot;"
      case UInt8(ascii: "'"): escaped = "&#39;"
      case 0: escaped = "\u{FFFD}"  // HTML does not allow NUL.
      default: continue
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<place]))
      bytes.append(escaped)
      start = place + 1
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
  }

  static func append(_ text: Text, to bytes: inout [UInt8]) {
    text.bytes.withUnsafeBufferPointer { append($0, to: &bytes) }
  }

  static func append(_ literal: StaticString, to bytes: inout [UInt8]) {
    literal.withUTF8Buffer { append($0, to: &bytes) }
  }
}
