// Longbox
// SPDX-License-Identifier: MIT

extension Transport {
  /// Adds a polite client's request policies: pace, one request at a time, retries, joined equal requests.
  ///
  /// From the outside in: equal requests are joined; a failed one is sent again after a pause; each attempt
  /// waits until the pace allows it and no other is under way; an error status is thrown.
  ///
  /// Make one per source and share it, because callers share the policies only through the same value.
  /// - Parameters:
  ///   - source: sets the pace if none is given.
  ///   - pace: another pace, for what replaces the source: a private mirror or recorded data.
  ///   - policy: how failures are retried.
  ///   - observer: counts the requests by outcome.
  ///   - term: the term in which this program leads; nil if there is none.
  public func withRequestPolicies(
    for source: Source,
    pace: Pace? = nil,
    retry policy: RetryPolicy = RetryPolicy(),
    observer: RequestObserver? = nil,
    term: @escaping @Sendable () -> Int? = { nil }
  ) -> Transport {
    let clock = ContinuousClock()
    let bucket = TokenBucket(pace ?? source.pace, clock: clock)
    return checkingStatus()
      .observingExchange(observer)
      .pausing(by: bucket)
      .paced(by: bucket, mutex: AsyncMutex(), term: term)
      .observingQueue(observer)
      .retrying(policy, clock: clock, jitter: { Double.random(in: 0..<1) })
      .coalescingRequests()
  }
}
