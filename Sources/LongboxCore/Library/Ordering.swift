// Longbox
// SPDX-License-Identifier: MIT

/// The places 0..<count in the order that a closure gives their contents.
///
/// The library sorts several kinds of things, and each kind would bring a copy of the sort into the WebAssembly. So
/// all of them sort places, by this one function.
@inline(never)
func orderedPlaces(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
  var places = Array(0..<count)
  places.sort(by: precedes)
  return places
}
