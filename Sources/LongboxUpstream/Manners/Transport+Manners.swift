// Longbox
// SPDX-License-Identifier: MIT

extension Transport {
  /// Asks a source the way a guest should: at its pace, one request at a time, patiently, and nothing twice.
  ///
  /// From the outside in: equal requests are joined; one that failed is sent again after a pause; each attempt
  /// waits for its turn and for the source's pace; a status that is an error is thrown.
  ///
  /// Make one per source and share it: the manners are kept between those who ask through the same value.
  /// - Parameters:
  ///   - source: decides the pace where none is given.
  ///   - pace: another pace than the source's, for what stands in for it: a mirror of one's own, recorded data.
  ///   - policy: how failures are tried again.
  public func withManners(
    for source: Source,
    pace: Pace? = nil,
    retry policy: RetryPolicy = RetryPolicy()
  ) -> Transport {
    let clock = ContinuousClock()
    return checkingStatus()
      .limited(by: TokenBucket(pace ?? source.pace, clock: clock))
      .passing(Turnstile())
      .retrying(policy, clock: clock, chance: { Double.random(in: 0..<1) })
      .joiningEqualRequests()
  }
}
