// Longbox
// SPDX-License-Identifier: MIT

import Foundation

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
