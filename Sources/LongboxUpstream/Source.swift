// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// A network source that Longbox reads from.
public enum Source: String, Hashable, Sendable, CaseIterable {
  /// The comics and their pictures.
  case xkcd
  /// Explanations of the comics, written by the readers of explainxkcd.com.
  case explain
  /// Artists, albums and tracks from Apple's store.
  case itunes
  /// Album covers, on Apple's picture servers.
  case artwork
  /// Articles about albums.
  case wikipedia

  /// The name within a sentence to a reader.
  public var name: String {
    switch self {
    case .xkcd: "xkcd"
    case .explain: "explain xkcd"
    case .itunes: "the iTunes Store"
    case .artwork: "the iTunes Store’s picture server"
    case .wikipedia: "Wikipedia"
    }
  }

  /// The name at the start of a sentence.
  public var nameAtStart: String {
    name.hasPrefix("the ") ? "The \(name.dropFirst(4))" : name
  }

  /// The source's own hosts, besides what the operator configures; it may redirect only to these: see
  /// ``Transport/live(over:allowing:userAgent:redirectLimit:logger:)``.
  public var ownOrigins: Set<WebAddress.Origin> {
    let hosts: [String] =
      switch self {
      case .xkcd: ["xkcd.com", "www.xkcd.com", "imgs.xkcd.com"]
      case .explain: ["www.explainxkcd.com", "explainxkcd.com"]
      case .itunes: ["itunes.apple.com"]
      case .artwork: Self.pictureServers
      // Each language has its own host, which the settings name.
      case .wikipedia: []
      }
    return Set(hosts.map { WebAddress.Origin(scheme: .https, host: $0, port: 443) })
  }

  /// Where the store keeps covers; the numbers spread the load.
  private static var pictureServers: [String] {
    [1, 2, 3, 4, 5].flatMap { (number: Int) -> [String] in
      ["is\(number)-ssl.mzstatic.com", "is\(number).mzstatic.com", "a\(number).mzstatic.com"]
    }
  }

  /// The allowed rate: the source's published limit, or ours if it publishes none.
  public var pace: Pace {
    switch self {
    case .xkcd: Pace(interval: .milliseconds(500), burst: 1, readerBurst: 5)
    // Volunteers run it, and one reply may hold fifty pages.
    case .explain: Pace(interval: .seconds(2), burst: 2)
    // The store allows about twenty calls a minute; see ``ITunesClient/callsPerMinute`` for the limit in use.
    case .itunes: Pace(interval: .seconds(4), burst: 1)
    case .artwork: Pace(interval: .milliseconds(100), burst: 12)
    case .wikipedia: Pace(interval: .seconds(1), burst: 4)
    }
  }

  /// The error that a reply means; nil for status 200, and for 304 if the request has a validator.
  ///
  /// 403 counts as a rate limit: iTunes sends it with an empty body and without `Retry-After`. Some sources send errors
  /// with status 200, too.
  /// - Parameters:
  ///   - reply: the reply.
  ///   - exchange: the request.
  ///   - now: the time, for a `Retry-After` that is a date.
  func error(in reply: Reply, to exchange: Exchange, now: Date) -> UpstreamError? {
    let retryAfter = reply.headers.retryAfter(now: now)
    switch reply.status {
    case 200:
      return errorWithSuccess(in: reply, to: exchange, retryAfter)
    case 304 where exchange.validator != nil:
      return nil
    case 304:
      return .malformed(
        self,
        at: "\(exchange.subject): the answer is “not modified”, although Longbox sent no validator"
      )
    case 404, 410:
      return .notFound(self, subject: exchange.subject)
    case 403, 429:
      return .rateLimited(self, retryAfter: retryAfter)
    case 408:
      return .timedOut(self, subject: exchange.subject)
    case 500...599:
      return .serverError(self, status: reply.status, retryAfter: retryAfter)
    default:
      return .unexpectedStatus(self, subject: exchange.subject, status: reply.status)
    }
  }

  private func errorWithSuccess(
    in reply: Reply,
    to exchange: Exchange,
    _ retryAfter: Duration?
  ) -> UpstreamError? {
    switch self {
    case .explain, .wikipedia:
      return WikiError(reply)?.upstreamError(exchange, retryAfter: retryAfter)
    case .itunes:
      // The store sends nothing, or an HTML page in place of JSON, for "too many"; the client says what else is wrong.
      do throws(ITunesReply.Fault) {
        try ITunesReply.Fault.checkObject(reply.body)
        return nil
      } catch {
        return error == .empty || error == .html ? .rateLimited(self, retryAfter: nil) : nil
      }
    case .xkcd, .artwork:
      return nil
    }
  }
}
