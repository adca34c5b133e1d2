// Longbox
// SPDX-License-Identifier: MIT

/// The indices 0..<count in the order that a closure defines; the sort is stable.
///
/// The library and the search sort several types, and each would add a specialised copy of the standard sort
/// to the WebAssembly. Sorting indices needs only this merge sort, with a tenth of the code.
@inline(never)
package func sortedIndices(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
  var indices = Array(0..<count)
  var merged = indices
  var width = 1
  while width < count {
    var start = 0
    while start < count {
      let middle = min(start + width, count)
      let end = min(middle + width, count)
      var left = start
      var right = middle
      for target in start..<end {
        if right == end || left < middle && !precedes(indices[right], indices[left]) {
          merged[target] = indices[left]
          left += 1
        } else {
          merged[target] = indices[right]
          right += 1
        }
      }
      start = end
    }
    swap(&indices, &merged)
    width *= 2
  }
  return indices
}

extension Range<Int> {
  /// The first index from which on a condition is met; the upper bound if it is never met.
  ///
  /// This is a binary search, so an index that meets the condition must come after all that don't.
  @inlinable @inline(__always)
  public func partitioningIndex(where condition: (Int) -> Bool) -> Int {
    var low = lowerBound
    var high = upperBound
    while low < high {
      let middle = low + (high - low) / 2
      if condition(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
