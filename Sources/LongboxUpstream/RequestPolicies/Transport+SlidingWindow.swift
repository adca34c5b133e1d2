// Longbox
// SPDX-License-Identifier: MIT

extension Transport {
  /// Sends no more requests than a limiter allows, one at a time.
  ///
  /// After a rate limit the source gets its pause, and the queued calls wait. Redirects count, but don't wait.
  /// - Parameters:
  ///   - limiter: one per source, shared by all its callers.
  ///   - pause: the first pause if the source names none; it doubles with each further rate limit.
  public func limited<Time: Clock>(
    by limiter: SlidingWindowLimiter<Time>,
    pause: Duration
  ) -> Transport where Time.Duration == Duration {
    let send = countingRedirects { await limiter.count() }.send
    return Transport { exchange throws(UpstreamError) in
      do {
        try await limiter.acquire(exchange.address)
      } catch {
        guard !Task.isCancelled else { throw .cancelled }
        throw .busy(exchange.source)
      }
      do throws(UpstreamError) {
        let reply = try await send(exchange)
        await limiter.noteAnswer()
        await limiter.release()
        return reply
      } catch {
        // Pause first, or the next call would go out before the pause begins.
        switch error {
        case .rateLimited(_, let asked): await limiter.noteRefused(asked: asked, first: pause)
        case .notFound, .unexpectedStatus, .malformed, .rejected: await limiter.noteAnswer()
        case .unreachable, .timedOut, .serverError, .busy, .cancelled: break
        }
        await limiter.release()
        throw error
      }
    }
  }
}
