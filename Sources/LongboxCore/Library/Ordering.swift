// Longbox
// SPDX-License-Identifier: MIT

/// The indices 0..<count in the order that a closure defines; the sort is stable.
///
/// The library and the search sort several types, and each would add a specialised copy of the standard sort
/// to the WebAssembly. Sorting indices needs only this merge sort, with a tenth of the code.
@inline(never)
package func orderedPlaces(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
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
