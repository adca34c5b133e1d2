// Longbox
// SPDX-License-Identifier: MIT

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
