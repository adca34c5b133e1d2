// Longbox
// SPDX-License-Identifier: MIT

extension Transport {
  /// Sends no more requests than a limiter allows, one at a time.
  ///
  /// After a rate limit the source gets its pause, and the call returns to the queue. Its caller sees a
  /// longer wait instead of an error. Redirects count, but don't wait.
  /// - Parameters:
  ///   - limiter: one per source, shared by all its callers.
  ///   - pause: the pause if the source names none.
  ///   - attempts: the most attempts before the error is thrown.
  public func limited<Time: Clock>(
    by limiter: SlidingWindowLimiter<Time>,
    pause: Duration,
    attempts: Int = 3
  ) -> Transport {
    let send = countingRedirects { await limiter.count() }.send
    return Transport { exchange throws(UpstreamError) in
      var failures = 0
      while true {
        do {
          try await limiter.acquire(exchange.address)
        } catch {
          guard !Task.isCancelled else { throw .cancelled }
          throw .busy(exchange.source)
        }
        do throws(UpstreamError) {
          let reply = try await send(exchange)
          await limiter.release()
          return reply
        } catch {
          // Pause first, or the next call would go out before the pause begins.
          if case .rateLimited(_, let asked) = error { await limiter.pause(for: asked ?? pause) }
          await limiter.release()
          guard case .rateLimited = error else { throw error }
          failures += 1
          guard failures < attempts else { throw error }
        }
      }
    }
  }
}
