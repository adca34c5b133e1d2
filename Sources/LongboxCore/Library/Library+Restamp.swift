// Longbox
// SPDX-License-Identifier: MIT

extension Library {
  /// Moves stamps that lie too far in the future back to the present, in their order.
  ///
  /// That is done to stamps that no other copy has accepted yet, so nobody else knows them.
  /// - Parameters:
  ///   - limit: the greatest time that may stay.
  ///   - present: the server's time: what no stamp is moved beyond, but to stay after what was seen.
  ///   - floor: what the moved stamps have to be later than, where it is within the limit.
  ///   - clock: issues the new stamps; its offset says how far the old ones were off.
  mutating func restamp(above limit: UInt64, present: UInt64, floor: Stamp, clock: LibraryClock) {
    var last = floor.time <= limit ? floor : .earliest
    var places: [Int] = []
    for (place, entry) in entries.enumerated() {
      if entry.stamp.time > limit {
        places.append(place)
      } else {
        last = max(last, entry.stamp)
      }
    }
    guard !places.isEmpty else { return }
    let moved = places.map { entries[$0] }
    sequence += 1
    for index in orderedPlaces(places.count, by: { moved[$0].stamp < moved[$1].stamp }) {
      let time = min(LibraryClock.time(moved[index].stamp.time, shiftedBy: clock.offset), present)
      last = clock.stamp(corrected: time, after: last)
      var entry = moved[index]
      entry.stamp = last
      put(entry, over: moved[index], at: places[index], sequence: sequence)
    }
    latest = last
  }
}
