// Longbox
// SPDX-License-Identifier: MIT

/// Issues stamps that are later than all that were seen, and near the real time where that is known.
///
/// It is a hybrid logical clock (Kulkarni and others, *Logical Physical Clocks*, 2014): the time is the device's own
/// where that is ahead of every stamp seen, and otherwise the greatest time seen with a counter that goes up. So an
/// edit always beats what its maker had in view, even on a device whose clock is days behind.
///
/// A clock that is ahead is dealt with where its stamps would get out: the server refuses what lies more than
/// ``tolerance`` in the future, and the device moves its own stamps back (``Replica/receive(_:at:)``).
public struct LibraryClock: Equatable, Sendable {
  /// How far ahead of the server's present a stamp may lie, in milliseconds: ten minutes.
  ///
  /// A device may win a race by that much and no more. Clocks that are off by less are not corrected.
  public static var tolerance: UInt64 { 600_000 }

  /// The device's own number, drawn by chance when it was first used.
  public let device: UInt64
  /// What to add to the device's time to get the server's, in milliseconds; 0 where they agree.
  public internal(set) var offset: Int64

  /// Makes a clock.
  /// - Parameters:
  ///   - device: a number that no other device of the library has: 64 bits by chance.
  ///   - offset: what to add to the device's time to get the server's, in milliseconds.
  public init(device: UInt64, offset: Int64 = 0) {
    self.device = device
    self.offset = offset
  }

  /// The stamp of a write.
  /// - Parameters:
  ///   - now: the device's time in milliseconds since 1970-01-01 UTC.
  ///   - latest: the greatest stamp that the device has seen.
  public func stamp(at now: UInt64, after latest: Stamp) -> Stamp {
    stamp(corrected: Self.time(now, shiftedBy: offset), after: latest)
  }

  func stamp(corrected time: UInt64, after latest: Stamp) -> Stamp {
    guard time <= latest.time else { return Stamp(time: time, counter: 0, device: device) }
    guard latest.counter < UInt32.max else {
      return Stamp(time: latest.time &+ 1, counter: 0, device: device)
    }
    return Stamp(time: latest.time, counter: latest.counter + 1, device: device)
  }

  /// Learns the difference to the server's clock; one within the tolerance is none.
  mutating func correct(now: UInt64, server: UInt64) {
    let difference = Self.signed(server) - Self.signed(now)
    offset = difference.magnitude > Self.tolerance ? difference : 0
  }

  static func time(_ time: UInt64, shiftedBy offset: Int64) -> UInt64 {
    let bound = signed(Stamp.greatestTime)
    let shift = min(max(offset, -bound), bound)
    return UInt64(min(max(signed(time) + shift, 0), bound))
  }

  private static func signed(_ time: UInt64) -> Int64 { Int64(min(time, Stamp.greatestTime)) }
}

/// When an edit is made: the stamp that it writes, and the time that a reader would give.
///
/// One moment serves one edit, of as many registers as it has. A second edit needs a later moment to win.
public struct Moment: Equatable, Sendable {
  /// The stamp of all that the edit writes.
  public var stamp: Stamp
  /// The device's time in milliseconds since 1970-01-01 UTC, for dates that are shown.
  public var time: UInt64

  /// Makes a moment.
  public init(stamp: Stamp, time: UInt64) {
    self.stamp = stamp
    self.time = min(time, Stamp.greatestTime)
  }
}
