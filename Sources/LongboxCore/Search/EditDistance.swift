// Longbox
// SPDX-License-Identifier: MIT

/// How many letters must be put in, left out, changed or swapped with their neighbour to make one word of another
/// (optimal string alignment), for one word against many that come in alphabetical order.
///
/// Rows of the table are kept for the bytes that a candidate shares with the one before it, and a candidate is
/// given up as soon as its beginning alone is too far away: so a dictionary is gone through as if it were a trie.
struct EditDistance {
  private let word: [UInt8]
  private let limit: UInt8
  private let width: Int
  /// Row i: the distances of the candidate's first i bytes to each beginning of the word.
  private var rows: [UInt8]
  /// The number of rows that hold for the last candidate.
  private var valid = 0
  /// The length from which on every candidate with that beginning is too far; `Int.max` where there is none.
  private var deadFrom = Int.max

  /// - Parameters:
  ///   - word: what the candidates are compared with; at most 64 bytes of it count.
  ///   - limit: the greatest distance that is of interest.
  init(to word: [UInt8], limit: Int) {
    self.word = Array(word.prefix(64))
    self.limit = UInt8(clamping: limit)
    width = self.word.count + 1
    rows = Array(repeating: 0, count: width * (self.word.count + limit + 2))
    for column in 0..<width { rows[column] = UInt8(column) }
  }

  /// The distance of a candidate, or nothing where it is beyond the limit.
  /// - Parameters:
  ///   - candidate: a word that is not before the last one in order.
  ///   - shared: how many bytes at its start are those of the last one.
  mutating func distance(of candidate: [UInt8], shared: Int) -> Int? {
    valid = min(valid, shared)
    if deadFrom <= valid { return nil }
    deadFrom = Int.max
    let longest = word.count + Int(limit)
    var row = valid
    while row < candidate.count {
      guard row < longest else { return nil }
      row += 1
      let least = fillRow(row, candidate)
      valid = row
      if least > limit {
        deadFrom = row
        return nil
      }
    }
    let distance = rows[candidate.count * width + word.count]
    return distance <= limit ? Int(distance) : nil
  }

  /// Fills a row and returns the least number in it or, for swaps to come, in the row before.
  private mutating func fillRow(_ row: Int, _ candidate: [UInt8]) -> UInt8 {
    let this = row * width
    let above = this - width
    let byte = candidate[row - 1]
    rows[this] = UInt8(clamping: row)
    var least = rows[this]
    for column in 1..<width {
      let differs: UInt8 = byte == word[column - 1] ? 0 : 1
      var best = min(rows[above + column] + 1, rows[this + column - 1] + 1, rows[above + column - 1] + differs)
      if row > 1, column > 1, byte == word[column - 2], candidate[row - 2] == word[column - 1] {
        best = min(best, rows[above - width + column - 2] + 1)
      }
      rows[this + column] = best
      least = min(least, best)
      least = min(least, rows[above + column])
    }
    return least
  }
}
