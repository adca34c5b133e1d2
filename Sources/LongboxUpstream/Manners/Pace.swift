// Longbox
// SPDX-License-Identifier: MIT

/// How fast a source may be asked.
public struct Pace: Hashable, Sendable {
  /// The time between two requests in the long run.
  public var interval: Duration
  /// How many requests may come at once after a rest.
  public var burst: Int

  /// Makes a pace.
  public init(interval: Duration, burst: Int) {
    self.interval = interval
    self.burst = burst
  }
}
