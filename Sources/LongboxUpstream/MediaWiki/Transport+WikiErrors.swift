// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

extension Transport {
  /// Throws MediaWiki's errors, which come with status 200; it belongs inside the request policies, so that
  /// `ratelimited`, `maxlag` and internal errors are retried like their HTTP statuses.
  /// - Parameter now: the time, for a `Retry-After` that is a date.
  public func checkingWikiErrors(now: @escaping @Sendable () -> Date = { Date() }) -> Transport {
    let send = self.send
    return Transport { exchange throws(UpstreamError) in
      let reply = try await send(exchange)
      guard reply.status == 200, let error = WikiError(reply) else { return reply }
      throw error.upstreamError(exchange, retryAfter: reply.headers.retryAfter(now: now()))
    }
  }
}
