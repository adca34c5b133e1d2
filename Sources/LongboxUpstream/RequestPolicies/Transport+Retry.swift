// Longbox
// SPDX-License-Identifier: MIT

extension Transport {
  /// Retries temporary failures after growing pauses with jitter.
  ///
  /// It throws the last error, never a "too many attempts". Cancelling the task ends a pause at once.
  /// - Parameters:
  ///   - policy: how often and after which pauses.
  ///   - clock: measures the pauses.
  ///   - jitter: returns a random number from 0 up to 1.
  public func retrying<Time: Clock>(
    _ policy: RetryPolicy,
    clock: Time,
    jitter: @escaping @Sendable () -> Double
  ) -> Transport where Time.Duration == Duration {
    let send = self.send
    return Transport { exchange throws(UpstreamError) in
      var failures = 0
      while true {
        let pause: Duration
        do throws(UpstreamError) {
          return try await send(exchange)
        } catch {
          failures += 1
          guard let next = policy.pause(after: failures, error, jitter: jitter()) else { throw error }
          pause = next
        }
        do { try await clock.sleep(for: pause) } catch { throw .cancelled }
      }
    }
  }
}
