// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import FoundationXML
import Testing

/// An XML element, parsed by Foundation as an independent reader.
///
/// It is a copy, because the parser's nodes don't outlive their document.
struct SentXML {
  var name: String
  var attributes: [String: String]
  var text: String
  var children: [SentXML]

  init(parsing bytes: [UInt8]) throws {
    let document = try XMLDocument(data: Data(bytes))
    self = try withExtendedLifetime(document) { SentXML(try #require(document.rootElement())) }
  }

  private init(_ element: XMLElement) {
    name = element.name ?? ""
    attributes = [:]
    for attribute in element.attributes ?? [] {
      attributes[attribute.name ?? ""] = attribute.stringValue
    }
    text = element.stringValue ?? ""
    children = (element.children ?? []).compactMap { ($0 as? XMLElement).map { SentXML($0) } }
  }

  func elements(_ name: String) -> [SentXML] { children.filter { $0.name == name } }

  func texts(_ name: String) -> [String] { elements(name).map(\.text) }

  /// The addresses of links with a relation.
  func links(_ relation: String) -> [String] {
    elements("link").filter { $0.attributes["rel"] == relation }.compactMap { $0.attributes["href"] }
  }
}
