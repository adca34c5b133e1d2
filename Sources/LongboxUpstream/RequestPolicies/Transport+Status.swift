// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

extension Transport {
  /// Returns replies with status 200, or 304 if requested, and throws every other status as an error.
  ///
  /// 403 counts as a rate limit: iTunes sends it with an empty body and without `Retry-After`.
  /// - Parameter now: the time, for a `Retry-After` that is a date.
  public func checkingStatus(now: @escaping @Sendable () -> Date = { Date() }) -> Transport {
    let send = self.send
    return Transport { exchange throws(UpstreamError) in
      let reply = try await send(exchange)
      switch reply.status {
      case 200:
        return reply
      case 304 where exchange.validator != nil:
        return reply
      case 304:
        throw .malformed(
          exchange.source,
          at: "\(exchange.subject): the answer is “not modified”, although Longbox sent no validator"
        )
      case 404, 410:
        throw .notFound(exchange.source, subject: exchange.subject)
      case 403, 429:
        throw .rateLimited(exchange.source, retryAfter: reply.headers.retryAfter(now: now()))
      case 408:
        throw .timedOut(exchange.source, subject: exchange.subject)
      case 500...599:
        let pause = reply.headers.retryAfter(now: now())
        throw .serverError(exchange.source, status: reply.status, retryAfter: pause)
      default:
        throw .unexpectedStatus(exchange.source, subject: exchange.subject, status: reply.status)
      }
    }
  }
}
