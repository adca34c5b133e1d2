// Longbox
// SPDX-License-Identifier: MIT

import Foundation
public import LongboxCore

/// Wikipedia's reply to a search, with each page's description and introduction.
public struct WikipediaReply: Equatable, Sendable {
  /// Why bytes are not a reply.
  public enum Fault: Error, Equatable, Sendable {
    /// They are not a JSON object, or lack required fields.
    case unreadable
  }

  /// The longest introduction in bytes; longer ones are cut after a paragraph or sentence.
  private static let longestExtract = 6_000

  /// The pages, best match first.
  public let pages: [ArticleCandidate]

  /// Parses a reply; one without pages means that nothing was found.
  public init(json: [UInt8]) throws(Fault) {
    guard json.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"),
      let body = try? JSONDecoder().decode(Body.self, from: Data(json)),
      body.query != nil || body.batchcomplete != nil
    else { throw .unreadable }
    let pages = (body.query?.pages ?? []).sorted { ($0.index ?? .max) < ($1.index ?? .max) }
    self.pages = pages.compactMap { page in
      guard let id = page.pageid, page.missing != true else { return nil }
      return ArticleCandidate(
        id: id,
        title: Text(string: page.title),
        summary: Text(string: page.description ?? ""),
        extract: Text(string: Self.cut(page.extract ?? "")),
        isDisambiguation: page.pageprops?.disambiguation != nil,
        revision: page.lastrevid ?? 0,
        address: Self.address(page.fullurl ?? "")
      )
    }
  }

  private static func cut(_ text: String) -> String {
    let whole = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard whole.utf8.count > longestExtract else { return whole }
    let part = String(decoding: whole.utf8.prefix(longestExtract), as: UTF8.self)
    if let paragraph = part.range(of: "\n", options: .backwards) {
      return String(part[..<paragraph.lowerBound])
    }
    if let sentence = part.range(of: ". ", options: .backwards) { return part[..<sentence.lowerBound] + "." }
    return part + "…"
  }

  /// Readers follow this link, so it must lead to a Wikipedia.
  private static func address(_ text: String) -> Text {
    guard let address = WebAddress(text), address.origin.scheme == .https,
      address.origin.host.hasSuffix(".wikipedia.org")
    else { return .empty }
    return Text(string: address.description)
  }

  private struct Body: Decodable {
    struct Query: Decodable {
      let pages: [Page]
    }

    struct Page: Decodable {
      struct Properties: Decodable {
        let disambiguation: String?
      }

      let pageid: Int?
      let title: String
      let index: Int?
      let missing: Bool?
      let description: String?
      let extract: String?
      let pageprops: Properties?
      let lastrevid: Int?
      let fullurl: String?
    }

    let batchcomplete: Bool?
    let query: Query?
  }
}

extension WikipediaReply.Fault: CustomStringConvertible {
  /// The fault, as the end of a sentence.
  public var description: String { "it is not an answer of MediaWiki’s" }
}
