// Longbox
// SPDX-License-Identifier: MIT

/// Numbers distinct words in order of first occurrence, with a hash table over bytes.
///
/// `Dictionary` needs random numbers from its host, which the device may not have.
struct TermTable {
  /// The bytes of all words in sequence.
  private(set) var bytes: [UInt8] = []
  /// The end of each word in ``bytes``; it begins at the end of the previous one.
  private(set) var ends: [Int] = []
  private var slots: [Int32]

  init() {
    slots = Array(repeating: -1, count: 1024)
  }

  var count: Int { ends.count }

  subscript(term: Int) -> ArraySlice<UInt8> {
    bytes[(term == 0 ? 0 : ends[term - 1])..<ends[term]]
  }

  /// Returns the number of a word; adds the word if it is new.
  mutating func insert(_ word: [UInt8]) -> Int {
    if (ends.count + 1) * 2 > slots.count { grow() }
    let slot = slot(of: word[...])
    if slots[slot] >= 0 { return Int(slots[slot]) }
    slots[slot] = Int32(ends.count)
    bytes.append(contentsOf: word)
    ends.append(bytes.count)
    return ends.count - 1
  }

  private func slot(of word: ArraySlice<UInt8>) -> Int {
    var slot = Int(truncatingIfNeeded: TermHash.hash(word)) & (slots.count - 1)
    while slots[slot] >= 0, self[Int(slots[slot])] != word {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for term in 0..<ends.count {
      slots[slot(of: self[term])] = Int32(term)
    }
  }
}

/// A hash function for short words (FNV-1a, 32 bits).
enum TermHash {
  static func hash(_ word: ArraySlice<UInt8>) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for byte in word { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return hash ^ (hash >> 15)
  }
}
