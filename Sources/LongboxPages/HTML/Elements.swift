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

// The HTML elements that pages use, each a function of its attributes and content.

func a(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "a", attributes, content())
}

func article(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "article", attributes, content())
}

func aside(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "aside", attributes, content())
}

func bdi(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "bdi", attributes, content())
}

func body(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "body", attributes, content())
}

func button(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "button", attributes, content())
}

func dd(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "dd", attributes, content())
}

func details(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "details", attributes, content())
}

func div(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "div", attributes, content())
}

func dl(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "dl", attributes, content())
}

func dt(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "dt", attributes, content())
}

func em(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "em", attributes, content())
}

func fieldset(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "fieldset", attributes, content())
}

func figure(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "figure", attributes, content())
}

func footer(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "footer", attributes, content())
}

func form(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "form", attributes, content())
}

func h1(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "h1", attributes, content())
}

func h2(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "h2", attributes, content())
}

func head(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "head", attributes, content())
}

func header(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "header", attributes, content())
}

func html(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "html", attributes, content())
}

func label(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "label", attributes, content())
}

func legend(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "legend", attributes, content())
}

func li(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "li", attributes, content())
}

func main(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "main", attributes, content())
}

func nav(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "nav", attributes, content())
}

func ol(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "ol", attributes, content())
}

func p(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "p", attributes, content())
}

func script(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "script", attributes, content())
}

func section(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "section", attributes, content())
}

func span(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "span", attributes, content())
}

func strong(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "strong", attributes, content())
}

func summary(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "summary", attributes, content())
}

func sup(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "sup", attributes, content())
}

func time(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "time", attributes, content())
}

func title(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "title", attributes, content())
}

func ul(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "ul", attributes, content())
}

func img(_ attributes: Attribute...) -> HTML {
  HTML(void: "img", attributes)
}

func input(_ attributes: Attribute...) -> HTML {
  HTML(void: "input", attributes)
}

/// A hidden form field.
@inline(never)
func hidden(_ name: Text, _ value: Text) -> HTML {
  input(Attribute("type", "hidden"), Attribute("name", name), Attribute("value", value))
}

func link(_ attributes: Attribute...) -> HTML {
  HTML(void: "link", attributes)
}

func mark(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "mark", attributes, content())
}

func meta(_ attributes: Attribute...) -> HTML {
  HTML(void: "meta", attributes)
}

func textarea(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
  HTML(element: "textarea", attributes, content())
}
