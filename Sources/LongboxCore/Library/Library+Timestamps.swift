// Longbox
// SPDX-License-Identifier: MIT

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
    var places: [Int] = []
    for (place, entry) in entries.enumerated() {
      if entry.timestamp.time > limit {
        places.append(place)
      } else {
        last = max(last, entry.timestamp)
      }
    }
    guard !places.isEmpty else { return }
    let moved = places.map { entries[$0] }
    sequence += 1
    for index in sortedIndices(places.count, by: { moved[$0].timestamp < moved[$1].timestamp }) {
      let time = min(LibraryClock.time(moved[index].timestamp.time, shiftedBy: clock.offset), present)
      last = clock.timestamp(corrected: time, after: last)
      var entry = moved[index]
      entry.timestamp = last
      put(entry, over: moved[index], at: places[index], sequence: sequence)
    }
    latest = last
  }
}
