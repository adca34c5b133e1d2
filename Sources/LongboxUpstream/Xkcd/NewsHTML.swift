// Longbox
// SPDX-License-Identifier: MIT

import CLibXML
import LongboxCore

/// Parses the HTML of a record's `news` into ``News``.
///
/// It was written by hand over many years and is not always well formed (2288 lacks a quotation mark), so
/// libxml2 parses and repairs it. An allow-list decides what is kept: text, line breaks, and addresses that
/// ``ComicRules/newsAddress(_:)`` accepts.
struct NewsHTML {
  /// The most bytes that are parsed; xkcd's longest news so far have 880.
  static let byteLimit = 16 << 10

  /// Elements whose content is not text.
  private static let unread: Set<String> = ["script", "style", "head", "template", "noscript", "iframe"]
  /// Elements on lines of their own.
  private static let blocks: Set<String> = [
    "div", "p", "li", "ul", "ol", "table", "tr", "blockquote", "h1", "h2", "h3",
  ]
  /// Initialises libxml2's global tables once, before any thread uses them.
  static let isReady: Bool = {
    xmlInitParser()
    return true
  }()

  private var lines = NewsLines()

  /// Parses news; the result is empty if they are empty or too long.
  static func news(_ html: String) -> News {
    guard !html.isEmpty, html.utf8.count <= byteLimit, isReady else { return .none }
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue
    let document = Array(html.utf8CString).withUnsafeBufferPointer { bytes in
      htmlReadMemory(bytes.baseAddress, Int32(bytes.count - 1), nil, "UTF-8", Int32(options))
    }
    guard let document else { return .none }
    defer { xmlFreeDoc(document) }
    var reader = NewsHTML()
    reader.read(xmlDocGetRootElement(document), address: .empty, isRaised: false)
    return News(reader.lines.runs)
  }

  /// Reads sibling nodes with their content.
  ///
  /// libxml2 limits nesting to 256 levels.
  private mutating func read(_ first: xmlNodePtr?, address: Text, isRaised: Bool) {
    var next = first
    while let node = next?.pointee {
      next = node.next
      switch node.type {
      case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
        guard let content = node.content else { continue }
        lines.append(String(cString: content), address: address, isRaised: isRaised)
      case XML_ELEMENT_NODE: readElement(node, address: address, isRaised: isRaised)
      default: continue
      }
    }
  }

  private mutating func readElement(_ node: xmlNode, address: Text, isRaised: Bool) {
    let name = node.name.map { String(cString: $0) } ?? ""
    guard !Self.unread.contains(name) else { return }
    let isBlock = name == "br" || Self.blocks.contains(name)
    if isBlock { lines.endLine() }
    let link = name == "a" ? Text(string: Self.attribute("href", of: node) ?? "") : .empty
    let target = name == "a" ? ComicRules.newsAddress(link) : address
    read(node.children, address: target, isRaised: isRaised || name == "sup")
    if isBlock { lines.endLine() }
  }

  /// The value of an element's attribute.
  static func attribute(_ name: String, of node: xmlNode) -> String? {
    var next = node.properties
    while let attribute = next?.pointee {
      if String(cString: attribute.name) == name, let content = attribute.children?.pointee.content {
        return String(cString: content)
      }
      next = attribute.next
    }
    return nil
  }
}
