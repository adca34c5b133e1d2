// Longbox
// SPDX-License-Identifier: MIT

extension Transport {
  /// Sends no faster than a bucket allows, and not during a pause that the source has asked for.
  /// - Parameter bucket: one per source, shared by all its callers.
  public func limited<Time: Clock>(by bucket: TokenBucket<Time>) -> Transport {
    pausing(by: bucket).paced(by: bucket)
  }

  /// Waits until the bucket allows a request; a reader's request may go ahead of the pace.
  ///
  /// Redirects count, but don't wait. If too many requests wait already, it throws ``UpstreamError/busy(_:)``.
  /// - Parameters:
  ///   - bucket: one per source, shared by all its callers.
  ///   - mutex: sends one request at a time, the "one connection" of a polite client; one per source, like the bucket.
  ///   - term: the term in which this program leads, see ``TokenBucket/take(_:term:locking:)``. A request whose term is over
  ///     when it may be sent fails as cancelled.
  func paced<Time: Clock>(
    by bucket: TokenBucket<Time>,
    mutex: AsyncMutex? = nil,
    term: @escaping @Sendable () -> Int? = { nil }
  ) -> Transport {
    let send = countingRedirects { await bucket.count() }.send
    return Transport { exchange throws(UpstreamError) in
      try await bucket.checkPause(of: exchange.source)
      let mine = term()
      do {
        try await bucket.take(RequestPriority.current, term: mine, locking: mutex)
      } catch {
        guard !Task.isCancelled else { throw .cancelled }
        throw .busy(exchange.source)
      }
      do throws(UpstreamError) {
        if let mine, term() != mine { throw .cancelled }
        let reply = try await send(exchange)
        await mutex?.unlock()
        return reply
      } catch {
        await mutex?.unlock()
        throw error
      }
    }
  }

  /// Notes when the source sends `Retry-After`: every request until then fails at once with
  /// ``UpstreamError/rateLimited(_:retryAfter:)`` and is not sent.
  ///
  /// So all callers respect the pause, and none waits for minutes in a queue.
  func pausing<Time: Clock>(by bucket: TokenBucket<Time>) -> Transport {
    let send = self.send
    return Transport { exchange throws(UpstreamError) in
      try await bucket.checkPause(of: exchange.source)
      do throws(UpstreamError) {
        return try await send(exchange)
      } catch {
        if let pause = error.retryAfter { await bucket.hold(for: pause) }
        throw error
      }
    }
  }
}

extension TokenBucket {
  fileprivate func checkPause(of source: Source) throws(UpstreamError) {
    if let pause = remainingHold { throw .rateLimited(source, retryAfter: pause) }
  }
}
