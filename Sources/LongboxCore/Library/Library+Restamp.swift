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
    for place in entries.indices {
      if entries[place].stamp.time > limit {
        places.append(place)
      } else {
        last = max(last, entries[place].stamp)
      }
    }
    guard !places.isEmpty else { return }
    let old = entries
    places.sort { left, right in old[left].stamp < old[right].stamp }
    sequence += 1
    for place in places {
      let time = min(LibraryClock.time(old[place].stamp.time, shiftedBy: clock.offset), present)
      last = clock.stamp(corrected: time, after: last)
      entries[place].stamp = last
      sequences[place] = sequence
    }
    latest = last
  }
}
