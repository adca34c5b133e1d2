// Longbox
// SPDX-License-Identifier: MIT

/// Preselects words by their first two bytes and their length.
struct WordFilter {
  /// Passes every word.
  static let all = WordFilter(entry: Entry(firsts: .max, lengths: .max))
  /// Passes only inserted words.
  static var none: WordFilter { WordFilter(entry: Entry(firsts: 0, lengths: 0)) }

  /// The words with one second byte: a bit for each first byte, and one for each length.
  private struct Entry {
    var firsts: UInt32
    var lengths: UInt64
  }

  private var entries: [Entry]

  private init(entry: Entry) {
    entries = Array(repeating: entry, count: 32)
  }

  /// Whether a word with these first bytes, in either case, may pass.
  @inline(__always)
  func admits(_ first: UInt8, _ second: UInt8, length: Int) -> Bool {
    let entry = entries[Int(second & 31)]
    return entry.firsts & (1 << UInt32(first & 31)) != 0 && entry.lengths & (1 << UInt64(length & 63)) != 0
  }

  mutating func insert(_ word: ArraySlice<UInt8>) {
    insert(word, lengths: 1 << UInt64(word.count & 63))
  }

  /// Passes all words with the same first two bytes as a word.
  mutating func insertForms(_ word: ArraySlice<UInt8>) {
    insert(word, lengths: .max)
  }

  private mutating func insert(_ word: ArraySlice<UInt8>, lengths: UInt64) {
    guard let first = word.first else { return }
    let second = word.count > 1 ? word[word.startIndex + 1] : 0
    entries[Int(second & 31)].firsts |= 1 << UInt32(first & 31)
    entries[Int(second & 31)].lengths |= lengths
  }
}
