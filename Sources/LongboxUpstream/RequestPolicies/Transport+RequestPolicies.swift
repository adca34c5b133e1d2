// Longbox
// SPDX-License-Identifier: MIT

extension Transport {
  /// Adds a polite client's request policies: pace, one request at a time, retries, joined equal requests.
  ///
  /// From the outside in: equal requests are joined; a failed one is sent again after a pause; each attempt
  /// waits for the mutex and the pace; an error status is thrown.
  ///
  /// Make one per source and share it, because callers share the policies only through the same value.
  /// - Parameters:
  ///   - source: sets the pace if none is given.
  ///   - pace: another pace, for what replaces the source: a private mirror or recorded data.
  ///   - policy: how failures are retried.
  public func withRequestPolicies(
    for source: Source,
    pace: Pace? = nil,
    retry policy: RetryPolicy = RetryPolicy()
  ) -> Transport {
    let clock = ContinuousClock()
    return checkingStatus()
      .limited(by: TokenBucket(pace ?? source.pace, clock: clock))
      .serialized(by: AsyncMutex())
      .retrying(policy, clock: clock, jitter: { Double.random(in: 0..<1) })
      .coalescingRequests()
  }
}
