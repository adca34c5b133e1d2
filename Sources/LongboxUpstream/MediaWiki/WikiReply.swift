// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// A reply to MediaWiki's `action=query&prop=revisions`, in format version 2, or 1 from old wikis.
struct WikiReply: Equatable {
  enum Fault: JSONObjectFault, Equatable {
    case empty
    case html
    case notAnObject
    case unexpected(at: String)
  }

  /// A page; if the reply is continued, its text may come later.
  struct Page: Equatable {
    var title: String
    /// Whether there is no such page, or the title is invalid.
    var isMissing: Bool
    var revision: Int?
    var timestamp: String
    var wikitext: String?
  }

  /// Requested titles, and how the wiki writes them.
  var normalized: [String: String] = [:]
  var redirects: [String: String] = [:]
  var pages: [Page] = []
  /// The parameters that request the rest; nil if this is all.
  var continuation: [String: String]?

  init(json: [UInt8]) throws(Fault) {
    try Fault.checkObject(json)
    do {
      self = try JSONDecoder().decode(WikiReply.self, from: Data(json))
    } catch DecodingError.keyNotFound(let key, _) {
      throw .unexpected(at: key.stringValue)
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
      throw .unexpected(at: context.codingPath.map(\.stringValue).joined(separator: "."))
    } catch {
      throw .notAnObject
    }
  }
}

extension WikiReply.Fault: CustomStringConvertible {
  var description: String {
    switch self {
    case .empty: "it is empty"
    case .html: "it is an HTML page instead of JSON"
    case .notAnObject: "it is not one whole JSON object in UTF-8"
    case .unexpected(let place): "its “\(place)” is missing or of another kind"
    }
  }
}

extension WikiReply: Decodable {
  private enum Key: String, CodingKey {
    case query
    case continuation = "continue"
    case oldContinuation = "query-continue"
  }

  private struct Query: Decodable {
    struct Step: Decodable {
      let from: String
      let to: String
    }

    let normalized: [Step]?
    let redirects: [Step]?
    let pages: WikiPageList
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    let query = try fields.decode(Query.self, forKey: .query)
    normalized = Dictionary(query.normalized?.map { ($0.from, $0.to) } ?? []) { $1 }
    redirects = Dictionary(query.redirects?.map { ($0.from, $0.to) } ?? []) { $1 }
    pages = query.pages.pages
    continuation = try fields.decodeIfPresent([String: WikiScalar].self, forKey: .continuation)?.mapValues(
      \.text
    )
    if let old = try fields.decodeIfPresent([String: [String: WikiScalar]].self, forKey: .oldContinuation) {
      continuation = old.values.reduce(into: continuation ?? [:]) { all, one in
        all.merge(one.mapValues(\.text)) { $1 }
      }
    }
  }
}

/// Pages are an array in format version 2, and an object keyed by page id in version 1.
private struct WikiPageList: Decodable {
  let pages: [WikiReply.Page]

  init(from decoder: any Decoder) throws {
    let isObject = (try? decoder.container(keyedBy: Entry.Key.self)) != nil
    let value = try decoder.singleValueContainer()
    pages =
      isObject
      ? try value.decode([String: Entry].self).values.compactMap(\.page)
      : try value.decode([Entry].self).compactMap(\.page)
  }

  /// An entry without a title is no page: its requested number does not exist.
  private struct Entry: Decodable {
    enum Key: String, CodingKey {
      case title
    }

    let page: WikiReply.Page?

    init(from decoder: any Decoder) throws {
      let isNamed = try decoder.container(keyedBy: Key.self).contains(.title)
      page = isNamed ? try WikiReply.Page(from: decoder) : nil
    }
  }
}

extension WikiReply.Page: Decodable {
  private enum Key: String, CodingKey {
    case title, missing, invalid, revisions
  }

  private struct Revision: Decodable {
    struct Slot: Decodable {
      let content: String?
      let old: String?

      enum CodingKeys: String, CodingKey {
        case content
        case old = "*"
      }
    }

    let revid: Int?
    let timestamp: String?
    let slots: [String: Slot]?
    let content: String?
    let old: String?

    enum CodingKeys: String, CodingKey {
      case revid, timestamp, slots, content
      case old = "*"
    }

    /// The text: in a slot since MediaWiki 1.32, before that in the revision itself.
    var text: String? { slots?["main"]?.content ?? slots?["main"]?.old ?? content ?? old }
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    title = try fields.decode(String.self, forKey: .title)
    // True in format version 2, an empty string in version 1.
    isMissing = [Key.missing, .invalid].contains { key in
      fields.contains(key) && (try? fields.decode(Bool.self, forKey: key)) != false
    }
    let newest = try fields.decodeIfPresent([Revision].self, forKey: .revisions)?.first
    revision = newest?.revid
    timestamp = newest?.timestamp ?? ""
    wikitext = newest?.text
  }
}

/// A value of a continuation: a string, or a number that is sent back as a string.
private struct WikiScalar: Decodable {
  let text: String

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    text = try (try? value.decode(String.self)) ?? String(value.decode(Int.self))
  }
}

/// An `error` of MediaWiki's action API.
struct WikiError: Equatable, Decodable {
  /// The longest reply that is searched for an error; texts are longer.
  private static let sizeLimit = 1 << 14
  /// The wait if the wiki names none: MediaWiki's recommendation for `maxlag`.
  private static let pause = Duration.seconds(5)

  let code: String
  let info: String?

  private struct Envelope: Decodable {
    let error: WikiError
  }

  init?(_ reply: Reply) {
    guard reply.headers["MediaWiki-API-Error"] != nil || reply.body.count <= Self.sizeLimit else {
      return nil
    }
    guard let found = try? JSONDecoder().decode(Envelope.self, from: Data(reply.body)) else { return nil }
    self = found.error
  }

  func upstreamError(_ exchange: Exchange, retryAfter: Duration?) -> UpstreamError {
    switch code {
    case "maxlag", "ratelimited":
      return .rateLimited(exchange.source, retryAfter: retryAfter ?? Self.pause)
    case "readonly":
      return .serverError(exchange.source, status: 503, retryAfter: retryAfter)
    case _ where code.hasPrefix("internal_api_error"):
      return .serverError(exchange.source, status: 500, retryAfter: retryAfter)
    case "missingtitle", "nosuchpageid", "invalidtitle":
      return .notFound(exchange.source, subject: exchange.subject)
    default:
      let said = info.map { ": \($0.prefix(200))" } ?? ""
      return .malformed(exchange.source, at: "\(exchange.subject): it answers “\(code.prefix(60))”\(said)")
    }
  }
}
