// Longbox
// SPDX-License-Identifier: MIT

/// How many letters must be put in, left out, changed or swapped with their neighbour to make one word of another
/// (optimal string alignment), for one word against many that come in alphabetical order.
///
/// Rows of the table are kept for the bytes that a candidate shares with the one before it, and a candidate is
/// given up as soon as its beginning alone is too far away: so a dictionary is gone through as if it were a trie.
struct EditDistance {
  /// What a candidate is.
  enum Verdict {
    /// So many edits away.
    case near(Int)
    /// Too far away, but words that begin with it need not be.
    case far
    /// Too far away, and so is every word that begins with the same so many bytes.
    case farFrom(Int)
  }

  private let word: [UInt8]
  private let limit: Int
  private let width: Int
  /// Row i: the distances of the candidate's first i bytes to each beginning of the word.
  ///
  /// Only columns near the diagonal are filled; beyond them every distance is above the limit.
  private var rows: [UInt8]
  /// The number of rows that hold for the last candidate.
  private var valid = 0

  /// - Parameters:
  ///   - word: what the candidates are compared with; at most 64 bytes of it count.
  ///   - limit: the greatest distance that is of interest.
  init(to word: [UInt8], limit: Int) {
    self.word = Array(word.prefix(64))
    self.limit = limit
    width = self.word.count + 1
    rows = Array(repeating: UInt8(limit + 1), count: width * (self.word.count + limit + 2))
    for column in 0...min(limit, self.word.count) { rows[column] = UInt8(column) }
  }

  /// Compares a candidate.
  /// - Parameters:
  ///   - candidate: a word that is not before the last one in order.
  ///   - shared: how many bytes at its start are those of the last one.
  mutating func verdict(on candidate: [UInt8], shared: Int) -> Verdict {
    valid = min(valid, shared)
    let longest = word.count + limit
    while valid < candidate.count {
      guard valid < longest else { return .farFrom(longest + 1) }
      valid += 1
      if fillRow(valid, candidate) > limit {
        defer { valid -= 1 }
        return .farFrom(valid)
      }
    }
    let distance = Int(rows[candidate.count * width + word.count])
    return distance <= limit ? .near(distance) : .far
  }

  /// Fills a row and returns the least number in it or, as a swap may reach over a row, in the one before.
  private mutating func fillRow(_ row: Int, _ candidate: [UInt8]) -> Int {
    let beyond = UInt8(limit + 1)
    let byte = candidate[row - 1]
    var least = beyond
    var left = row <= limit ? UInt8(row) : beyond
    rows[row * width] = left
    least = min(least, left)
    let first = max(1, row - limit)
    let last = min(word.count, row + limit)
    if first > 1 { rows[row * width + first - 1] = beyond }
    guard first <= last else { return limit + 1 }
    for column in first...last {
      let above = (row - 1) * width + column
      var best = min(left + 1, rows[above - 1] + (byte == word[column - 1] ? 0 : 1))
      if column < row + limit { best = min(best, rows[above] + 1) }
      if row > 1, column > 1, byte == word[column - 2], candidate[row - 2] == word[column - 1] {
        best = min(best, rows[above - width - 2] + 1)
      }
      left = min(best, beyond)
      rows[row * width + column] = left
      least = min(least, left, rows[above - 1])
    }
    return Int(least)
  }
}
