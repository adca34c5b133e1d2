// Longbox
// SPDX-License-Identifier: MIT

/// When, and on which device, a register was last written.
///
/// Timestamps are ordered by time, then counter, then device. A device never reuses one, but all registers of
/// one edit share one.
public struct Timestamp: Hashable, Sendable {
  /// Milliseconds since 1970-01-01 UTC by the device's clock.
  public var time: UInt64
  /// Distinguishes writes of equal time, and writes while the clock is behind the timestamps seen.
  public var counter: UInt32
  /// The device's random number, chosen at first use.
  public var device: UInt64

  /// Creates a timestamp.
  public init(time: UInt64, counter: UInt32 = 0, device: UInt64) {
    self.time = time
    self.counter = counter
    self.device = device
  }

  /// Earlier than every issued timestamp.
  public static var earliest: Timestamp { Timestamp(time: 0, counter: 0, device: 0) }

  /// The greatest valid time: 48 bits, in the year 10889.
  public static var greatestTime: UInt64 { (1 << 48) - 1 }
}

extension Timestamp: Comparable {
  /// Orders by time, then counter, then device.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    guard left.time == right.time else { return left.time < right.time }
    guard left.counter == right.counter else { return left.counter < right.counter }
    return left.device < right.device
  }
}
