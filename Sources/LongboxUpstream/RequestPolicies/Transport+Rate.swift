// Longbox
// SPDX-License-Identifier: MIT

extension Transport {
  /// Sends no faster than a bucket allows.
  ///
  /// When the source sends `Retry-After`, every request until then fails at once with
  /// ``UpstreamError/rateLimited(_:retryAfter:)`` and is not sent. So all callers respect the pause, and none
  /// waits for minutes in a queue.
  /// - Parameter bucket: one per source, shared by all its callers.
  public func limited<Time: Clock>(by bucket: TokenBucket<Time>) -> Transport {
    let send = self.send
    return Transport { exchange throws(UpstreamError) in
      if let hold = await bucket.remainingHold { throw .rateLimited(exchange.source, retryAfter: hold) }
      do { try await bucket.take() } catch { throw .cancelled }
      do throws(UpstreamError) {
        return try await send(exchange)
      } catch {
        if let pause = error.retryAfter { await bucket.hold(for: pause) }
        throw error
      }
    }
  }
}
