// Longbox
// SPDX-License-Identifier: MIT

extension Transport {
  /// Sends no more than a window lets through, one request at a time.
  ///
  /// A source that asks for patience gets it, and the call goes back into the line: who waits for it sees a longer time, and
  /// no error.
  /// - Parameters:
  ///   - window: one per source, shared by all who ask it.
  ///   - pause: how long the source is left alone where it doesn't say.
  ///   - attempts: how often a call goes out before its error is the caller's.
  public func limited<Time: Clock>(
    to window: CallWindow<Time>,
    pause: Duration,
    attempts: Int = 3
  ) -> Transport {
    let send = self.send
    return Transport { exchange throws(UpstreamError) in
      var failures = 0
      while true {
        do {
          try await window.enter(exchange.address)
        } catch {
          guard !Task.isCancelled else { throw .cancelled }
          throw .rateLimited(exchange.source, retryAfter: pause)
        }
        do throws(UpstreamError) {
          let reply = try await send(exchange)
          await window.leave()
          return reply
        } catch {
          // The next must not go out before it has learned of the pause.
          if case .rateLimited(_, let asked) = error { await window.hold(for: asked ?? pause) }
          await window.leave()
          guard case .rateLimited = error else { throw error }
          failures += 1
          guard failures < attempts else { throw error }
        }
      }
    }
  }
}
