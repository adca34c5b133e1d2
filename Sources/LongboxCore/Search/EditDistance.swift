// Longbox
// SPDX-License-Identifier: MIT

/// The edit distance (optimal string alignment) of a word to candidates in alphabetical order.
///
/// For each number of edits there is a row of bits: bit j says that the candidate's bytes so far are within
/// that many edits of the word's first j ([Wu and Manber, 1992](https://doi.org/10.1145/135239.135244), with
/// swaps). Rows are reused for the prefix that a candidate shares with the previous one, and a candidate is
/// rejected as soon as a prefix is too far away. So a sorted dictionary is searched like a trie.
struct EditDistance {
  enum Verdict {
    /// Within the limit, at this distance.
    case near(Int)
    /// Too far away; longer words with this prefix may be nearer.
    case far
    /// Too far away, like all words that share this many bytes at the start.
    case farFrom(Int)
  }

  /// The maximum number of bytes of the word that count.
  private static let longestWord = 63

  private let limit: Int
  /// For each byte value the positions in the word, from bit 1.
  private var places: [UInt64]
  /// The bits of all prefixes of the word.
  private let all: UInt64
  /// The bit of the whole word.
  private let whole: UInt64
  /// For each prefix length of the candidate and number of edits, the word's prefixes within that distance.
  private var rows: [UInt64]
  /// The number of bytes of the last candidate for which ``rows`` is valid.
  private var valid = 0

  /// - Parameters:
  ///   - word: the word, of which at most 63 bytes count.
  ///   - limit: the maximum distance.
  init(to word: [UInt8], limit: Int) {
    let count = min(word.count, Self.longestWord)
    self.limit = limit
    whole = 1 << UInt64(count)
    all = whole | (whole - 1)
    places = Array(repeating: 0, count: 256)
    for index in 0..<count { places[Int(word[index])] |= 2 << UInt64(index) }
    // Rows beyond this length have no bits.
    rows = Array(repeating: 0, count: (limit + 1) * (count + limit + 2))
    for edits in 0...limit { rows[edits] = (2 << UInt64(min(edits, count))) - 1 }
  }

  /// Compares a candidate.
  /// - Parameters:
  ///   - candidate: a word that isn't before the last candidate in order.
  ///   - shared: the number of bytes at its start that it shares with the last candidate.
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
  /// - Returns: whether the row has a bit; if not, no later row has one.
  private mutating func fillRow(_ row: Int, _ candidate: [UInt8]) -> Bool {
    let width = limit + 1
    let here = places[Int(candidate[row - 1])]
    let swapped = row > 1 ? here << 1 & places[Int(candidate[row - 2])] : 0
    var index = row * width
    var fewer = (rows[index - width] << 1) & here
    rows[index] = fewer
    for _ in 0..<limit {
      index += 1
      let before = rows[index - width - 1]
      var bits = (rows[index - width] << 1) & here
      // An insertion, a substitution, a deletion, a swap.
      bits |= before | before << 1 | fewer << 1
      if swapped != 0 { bits |= rows[index - 2 * width - 1] << 2 & swapped }
      fewer = bits & all
      rows[index] = fewer
    }
    return fewer != 0
  }
}
