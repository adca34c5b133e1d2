// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import FoundationXML
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import TestSupport
import Testing

/// A JSON feed, as an independent feed reader decodes it.
struct SentFeed: Decodable {
  struct Item: Decodable {
    var id: String
    var url: String
    var external_url: String?
    var title: String
    var content_html: String
    var summary: String?
    var image: String?
    var date_published: String
    var date_modified: String
  }

  var version: String
  var title: String
  var home_page_url: String
  var feed_url: String
  var next_url: String?
  var items: [Item]

  /// The comic numbers at the ends of the addresses.
  var numbers: [Int] { items.compactMap { Int($0.url.split(separator: "/").last ?? "") } }
}

extension ServerBench {
  func feed(_ path: String, _ headers: HTTPFields = [:]) async throws -> SentFeed {
    let answer = try await get(path, headers)
    #expect(answer.status == .ok, "\(path): \(answer.text)")
    #expect(answer.headers[.contentType] == "application/feed+json")
    return try JSONDecoder().decode(SentFeed.self, from: Data(answer.bytes))
  }

  func xml(_ path: String, as mediaType: String) async throws -> SentXML {
    let answer = try await get(path)
    #expect(answer.status == .ok, "\(path): \(answer.text)")
    #expect(answer.headers[.contentType] == mediaType)
    return try SentXML(parsing: answer.bytes)
  }

  /// The status and the wrong parameter of an error response.
  func problem(_ path: String) async throws -> (status: Int, parameter: String?) {
    let answer = try await get(path)
    #expect(answer.headers[.contentType] == "application/problem+json", "\(path): \(answer.text)")
    let problem = try JSONDecoder().decode(SentProblem.self, from: Data(answer.bytes))
    #expect(!problem.detail.isEmpty)
    return (answer.status.code, problem.parameter)
  }
}

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
