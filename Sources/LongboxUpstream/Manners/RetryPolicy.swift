// Longbox
// SPDX-License-Identifier: MIT

/// How often, and after which pauses, a request that failed is sent again.
public struct RetryPolicy: Equatable, Sendable {
  /// How often it is sent in all, the first time included.
  public var attempts: Int
  /// The pause after the first failure; it doubles with each further one.
  public var firstPause: Duration
  /// The longest pause of our own choosing.
  public var longestPause: Duration
  /// The longest `Retry-After` that is waited for.
  ///
  /// Where a source asks for more, the error goes to the caller, who
  /// has better things to do than to wait.
  public var longestRetryAfter: Duration

  /// Makes a policy; what is left out suits a reader who is waiting.
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

  /// The pause after a failure, or nothing where the failure is final.
  ///
  /// Half of our own pause is left to chance, so that those who failed together don't come back together; and
  /// what `Retry-After` asks for is never undercut.
  /// - Parameters:
  ///   - failures: how often the request has failed, 1 or more.
  ///   - error: the last failure.
  ///   - chance: 0 up to 1.
  public func pause(after failures: Int, _ error: UpstreamError, chance: Double) -> Duration? {
    guard error.isRetryable, failures < attempts else { return nil }
    let doubled = firstPause * (1 << min(failures - 1, 20))
    let longest = min(doubled, longestPause)
    let own = longest / 2 + longest / 2 * chance
    guard let asked = error.retryAfter else { return own }
    return asked <= longestRetryAfter ? asked + firstPause * chance : nil
  }
}
