// Longbox
// SPDX-License-Identifier: MIT

/// When, and on which device, a register of a library was last written.
///
/// Stamps are totally ordered: by time, then counter, then device. No two writes of an honest device have the same
/// stamp; the same stamp may stand on several keys that were written by one edit.
public struct Stamp: Hashable, Sendable {
  /// Milliseconds since 1970-01-01 UTC, as the device believed.
  public var time: UInt64
  /// Tells writes apart that have the same time, or that came while the clock stood behind what was seen.
  public var counter: UInt32
  /// The device's own number, drawn by chance when it was first used.
  public var device: UInt64

  /// Makes a stamp.
  public init(time: UInt64, counter: UInt32 = 0, device: UInt64) {
    self.time = time
    self.counter = counter
    self.device = device
  }

  /// Earlier than every stamp that is issued.
  public static var earliest: Stamp { Stamp(time: 0, counter: 0, device: 0) }

  /// The greatest time that is taken for one: 48 bits, in the year 10889.
  public static var greatestTime: UInt64 { (1 << 48) - 1 }
}

extension Stamp: Comparable {
  /// Orders by time, then counter, then device.
  public static func < (left: Stamp, right: Stamp) -> Bool {
    guard left.time == right.time else { return left.time < right.time }
    guard left.counter == right.counter else { return left.counter < right.counter }
    return left.device < right.device
  }
}
