// Longbox
// SPDX-License-Identifier: MIT

/// How often, and after which pauses, a failed request is sent again.
public struct RetryPolicy: Equatable, Sendable {
  /// The most attempts, including the first.
  public var attempts: Int
  /// The pause after the first failure; it doubles with each further one.
  public var firstPause: Duration
  /// The longest pause, unless the source asks for more.
  public var longestPause: Duration
  /// The longest accepted `Retry-After`; if a source asks for more, the caller gets the error.
  public var longestRetryAfter: Duration

  /// Makes a policy; the defaults suit a reader who is waiting.
  public init(
    attempts: Int = 3,
    firstPause: Duration = .milliseconds(500),
    longestPause: Duration = .seconds(8),
    longestRetryAfter: Duration = .seconds(10)
  ) {
    self.attempts = attempts
    self.firstPause = firstPause
    self.longestPause = longestPause
    self.longestRetryAfter = longestRetryAfter
  }

  /// The pause after a failure, or nil if the failure is final.
  ///
  /// Half of the pause is random, so that clients don't retry together. It is never shorter than
  /// `Retry-After`.
  /// - Parameters:
  ///   - failures: how often the request has failed, 1 or more.
  ///   - error: the last failure.
  ///   - jitter: 0 up to 1.
  public func pause(after failures: Int, _ error: UpstreamError, jitter: Double) -> Duration? {
    guard error.isRetryable, failures < attempts else { return nil }
    let doubled = firstPause * (1 << min(failures - 1, 20))
    let longest = min(doubled, longestPause)
    let own = longest / 2 + longest / 2 * jitter
    guard let asked = error.retryAfter else { return own }
    return asked <= longestRetryAfter ? asked + firstPause * jitter : nil
  }
}
