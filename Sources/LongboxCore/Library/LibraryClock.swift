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

/// Issues timestamps that are later than all those seen, and close to the real time.
///
/// It is a hybrid logical clock (Kulkarni and others, *Logical Physical Clocks*, 2014). The time is the
/// device's own if that is later than every timestamp seen; otherwise the greatest time seen with the counter
/// incremented. So an edit always wins over what its author saw, even if the device's clock is days behind.
///
/// A clock that is ahead is corrected at sync: the server rejects timestamps more than ``tolerance`` in the
/// future, and the device moves its own back (``Replica/receive(_:at:)``).
public struct LibraryClock: Equatable, Sendable {
  /// The maximum lead of a timestamp over the server's time, in milliseconds: ten minutes.
  ///
  /// Smaller clock errors are not corrected, so a device can win a race by at most this much.
  public static var tolerance: UInt64 { 600_000 }

  /// The device's random number, chosen at first use.
  public let device: UInt64
  /// The difference between the server's and the device's time in milliseconds; 0 if they agree.
  public private(set) var offset: Int64

  /// Creates a clock.
  /// - Parameters:
  ///   - device: a number unique in the library: 64 random bits.
  ///   - offset: the server's time minus the device's, in milliseconds.
  public init(device: UInt64, offset: Int64 = 0) {
    self.device = device
    self.offset = offset
  }

  /// Issues the timestamp of a write.
  /// - Parameters:
  ///   - now: the device's time in milliseconds since 1970-01-01 UTC.
  ///   - latest: the greatest timestamp that the device has seen.
  public func timestamp(at now: UInt64, after latest: Timestamp) -> Timestamp {
    timestamp(corrected: Self.time(now, shiftedBy: offset), after: latest)
  }

  func timestamp(corrected time: UInt64, after latest: Timestamp) -> Timestamp {
    guard time <= latest.time else { return Timestamp(time: time, counter: 0, device: device) }
    guard latest.counter < UInt32.max else {
      return Timestamp(time: latest.time &+ 1, counter: 0, device: device)
    }
    return Timestamp(time: latest.time, counter: latest.counter + 1, device: device)
  }

  /// Measures the offset to the server's clock; an offset within the tolerance counts as 0.
  mutating func correct(now: UInt64, server: UInt64) {
    let difference = Self.signed(server) - Self.signed(now)
    offset = difference.magnitude > Self.tolerance ? difference : 0
  }

  static func time(_ time: UInt64, shiftedBy offset: Int64) -> UInt64 {
    let bound = signed(Timestamp.greatestTime)
    let shift = min(max(offset, -bound), bound)
    return UInt64(min(max(signed(time) + shift, 0), bound))
  }

  private static func signed(_ time: UInt64) -> Int64 { Int64(min(time, Timestamp.greatestTime)) }
}

/// When an edit is made: the timestamp that it writes, and the time to show.
///
/// One value serves one edit of any number of registers. A second edit needs a later one to win.
public struct EditTime: Equatable, Sendable {
  /// The timestamp of everything the edit writes.
  public var timestamp: Timestamp
  /// The device's time in milliseconds since 1970-01-01 UTC, for dates that are shown.
  public var time: UInt64

  public init(timestamp: Timestamp, time: UInt64) {
    self.timestamp = timestamp
    self.time = min(time, Timestamp.greatestTime)
  }
}

extension Library {
  /// Moves timestamps that are too far in the future back to the present, and keeps their order.
  ///
  /// It applies only to timestamps that no other copy has accepted yet.
  /// - Parameters:
  ///   - limit: the greatest time that may stay.
  ///   - present: the server's time, an upper bound for moved timestamps unless `floor` is later.
  ///   - floor: a lower bound for the moved timestamps, if it is within the limit.
  ///   - clock: issues the new timestamps; its offset is the error of the old ones.
  mutating func reassignTimestamps(
    above limit: UInt64,
    present: UInt64,
    floor: Timestamp,
    clock: LibraryClock
  ) {
    var last = floor.time <= limit ? floor : .earliest
    var indices: [Int] = []
    for (index, entry) in entries.enumerated() {
      if entry.timestamp.time > limit {
        indices.append(index)
      } else {
        last = max(last, entry.timestamp)
      }
    }
    guard !indices.isEmpty else { return }
    let moved = indices.map { entries[$0] }
    sequence += 1
    for next in sortedIndices(indices.count, by: { moved[$0].timestamp < moved[$1].timestamp }) {
      let time = min(LibraryClock.time(moved[next].timestamp.time, shiftedBy: clock.offset), present)
      last = clock.timestamp(corrected: time, after: last)
      var entry = moved[next]
      entry.timestamp = last
      put(entry, over: moved[next], at: indices[next], sequence: sequence)
    }
    latest = last
  }
}
