// Longbox
// SPDX-License-Identifier: MIT

/// The edit distance of two spellings (optimal string alignment), up to a limit.
///
/// Search's ``EditDistance`` compares a word with a sorted dictionary, by bytes. This one compares whole
/// titles, by letters of any script.
enum TitleDistance {
  /// The distance, or nil if it exceeds the limit.
  static func between(_ left: [UInt32], _ right: [UInt32], limit: Int) -> Int? {
    guard abs(left.count - right.count) <= limit else { return nil }
    let beyond = limit + 1
    var before: [Int] = []
    var above = (0...right.count).map { min($0, beyond) }
    for row in 1..<(left.count + 1) {
      var current = Array(repeating: beyond, count: right.count + 1)
      current[0] = min(row, beyond)
      var least = current[0]
      let first = max(1, row - limit)
      let last = min(right.count, row + limit)
      for column in first..<(max(first, last + 1)) {
        var best = above[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
        best = min(best, above[column] + 1, current[column - 1] + 1)
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          best = min(best, before[column - 2] + 1)
        }
        current[column] = min(best, beyond)
        least = min(least, best)
      }
      // A swap may still reach back over this row.
      if least > limit, (above.min() ?? beyond) > limit { return nil }
      before = above
      above = current
    }
    return above[right.count] <= limit ? above[right.count] : nil
  }
}
