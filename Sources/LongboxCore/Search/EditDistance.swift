// Longbox
// SPDX-License-Identifier: MIT

/// How many letters must be put in, left out, changed or swapped with their neighbour to make one word of another
/// (optimal string alignment), for one word against many that come in alphabetical order.
///
/// Instead of a table of numbers there is a row of bits for each number of edits: bit j says that the candidate's bytes so
/// far are within so many edits of the word's first j ([Wu and Manber, 1992](https://doi.org/10.1145/135239.135244), with
/// swaps). Rows are kept for the bytes that a candidate shares with the one before it, and a candidate is given up as soon
/// as its beginning alone is too far away: so a dictionary is gone through as if it were a trie.
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

  /// The greatest number of bytes of the word that count.
  private static let longestWord = 63

  private let limit: Int
  /// For each byte the places in the word, from bit 1 on, where it stands.
  private var places: [UInt64]
  /// The bits of all beginnings of the word.
  private let all: UInt64
  /// The bit of the whole word.
  private let whole: UInt64
  /// For each length of the candidate's beginning, and each number of edits, the beginnings of the word that are within it.
  private var rows: [UInt64]
  /// The number of bytes of the last candidate for which ``rows`` hold.
  private var valid = 0

  /// - Parameters:
  ///   - word: what the candidates are compared with; at most 63 bytes of it count.
  ///   - limit: the greatest distance that is of interest.
  init(to word: [UInt8], limit: Int) {
    let count = min(word.count, Self.longestWord)
    self.limit = limit
    whole = 1 << UInt64(count)
    all = whole | (whole - 1)
    places = Array(repeating: 0, count: 256)
    for index in 0..<count { places[Int(word[index])] |= 2 << UInt64(index) }
    // Beyond so many bytes no row has a bit.
    rows = Array(repeating: 0, count: (limit + 1) * (count + limit + 2))
    for edits in 0...limit { rows[edits] = (2 << UInt64(min(edits, count))) - 1 }
  }

  /// Compares a candidate.
  /// - Parameters:
  ///   - candidate: a word that is not before the last one in order.
  ///   - shared: how many bytes at its start are those of the last one.
  mutating func verdict(on candidate: [UInt8], shared: Int) -> Verdict {
    valid = min(valid, shared)
    while valid < candidate.count {
      guard fillRow(valid + 1, candidate) else { return .farFrom(valid + 1) }
      valid += 1
    }
    let row = valid * (limit + 1)
    for edits in 0...limit where rows[row + edits] & whole != 0 { return .near(edits) }
    return .far
  }

  /// Fills a row.
  /// - Returns: whether there is a bit in it; where there is none, there is none in any row after it.
  private mutating func fillRow(_ row: Int, _ candidate: [UInt8]) -> Bool {
    let width = limit + 1
    let here = places[Int(candidate[row - 1])]
    let swapped = row > 1 ? here << 1 & places[Int(candidate[row - 2])] : 0
    var place = row * width
    var fewer = (rows[place - width] << 1) & here
    rows[place] = fewer
    for _ in 0..<limit {
      place += 1
      let before = rows[place - width - 1]
      var bits = (rows[place - width] << 1) & here
      // One put in, one changed, one left out, two swapped.
      bits |= before | before << 1 | fewer << 1
      if swapped != 0 { bits |= rows[place - 2 * width - 1] << 2 & swapped }
      fewer = bits & all
      rows[place] = fewer
    }
    return fewer != 0
  }
}
