// Longbox
// SPDX-License-Identifier: MIT

/// The places 0..<count in the order that a closure gives their contents; what it does not tell apart stays in order.
///
/// Library and search sort several kinds of things, and each kind would bring a copy of the sort into the WebAssembly. So
/// all of them sort places, by this one function: a merge sort, in a tenth of the code that the standard library's has.
@inline(never)
func orderedPlaces(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
  var places = Array(0..<count)
  var merged = places
  var width = 1
  while width < count {
    var start = 0
    while start < count {
      let middle = min(start + width, count)
      let end = min(middle + width, count)
      var left = start
      var right = middle
      for place in start..<end {
        if right == end || left < middle && !precedes(places[right], places[left]) {
          merged[place] = places[left]
          left += 1
        } else {
          merged[place] = places[right]
          right += 1
        }
      }
      start = end
    }
    swap(&places, &merged)
    width *= 2
  }
  return places
}
