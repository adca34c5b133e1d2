// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxCore

struct LibraryClockTests {
  @Test(
    arguments: [
      (10, 0, 5, 3, 10, 0, "its own time where that is ahead"),
      (5, 0, 5, 3, 5, 4, "the counter where the time has been seen"),
      (2, 0, 5, 3, 5, 4, "the counter where its time is behind"),
      (0, 0, 5, UInt32.max, 6, 0, "the next millisecond where the counter is at its end"),
      (10, -4, 5, 3, 6, 0, "its time corrected"),
      (10, -40, 5, 3, 5, 4, "its time corrected to before all times"),
      (10, 40, 5, 3, 50, 0, "its time corrected forward"),
      (UInt64.max, Int64.max, 5, 3, Timestamp.greatestTime, 0, "no time beyond the greatest"),
      (0, Int64.min, 5, 3, 5, 4, "no time before the first"),
    ] as [(UInt64, Int64, UInt64, UInt32, UInt64, UInt32, String)]
  )
  func `issues timestamps`(
    now: UInt64,
    offset: Int64,
    time: UInt64,
    counter: UInt32,
    newTime: UInt64,
    newCounter: UInt32,
    what: String
  ) {
    let latest = Timestamp(time: time, counter: counter, device: 99)
    let timestamp = LibraryClock(device: 1, offset: offset).timestamp(at: now, after: latest)
    #expect(timestamp == Timestamp(time: newTime, counter: newCounter, device: 1), "\(what)")
    #expect(timestamp > latest)
  }

  @Test func `orders timestamps by time, counter, device`() {
    let timestamps = [
      Timestamp.earliest, Timestamp(time: 1, counter: 0, device: 9),
      Timestamp(time: 1, counter: 1, device: 1),
      Timestamp(time: 1, counter: 1, device: 2), Timestamp(time: 2, counter: 0, device: 0),
    ]
    for left in timestamps.indices {
      for right in timestamps.indices { #expect((timestamps[left] < timestamps[right]) == (left < right)) }
    }
  }

  @Test(arguments: [(0, 0), (600_000, 0), (600_001, 600_001), (-600_000, 0), (-600_001, -600_001)])
  func `adopts an offset beyond the tolerance`(difference: Int64, offset: Int64) {
    var clock = LibraryClock(device: 1, offset: 5)
    clock.correct(now: 1_000_000, server: UInt64(1_000_000 + difference))
    #expect(clock.offset == offset)
  }
}
