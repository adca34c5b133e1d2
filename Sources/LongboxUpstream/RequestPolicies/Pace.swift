// Longbox
// SPDX-License-Identifier: MIT

/// The allowed rate of requests to a source.
public struct Pace: Hashable, Sendable {
  /// The average time between two requests.
  public var interval: Duration
  /// How many requests may go out at once after a rest.
  public var burst: Int
  /// How many more requests readers may send at once; background requests pay them back by waiting longer.
  public var readerBurst: Int

  /// Makes a pace.
  public init(interval: Duration, burst: Int, readerBurst: Int = 0) {
    self.interval = interval
    self.burst = burst
    self.readerBurst = readerBurst
  }
}
