// Longbox
// SPDX-License-Identifier: MIT

/// The index terms that a query's words may mean, each with its weight.
///
/// A small hash table maps a word of a text to the variants.
struct WordVariants {
  /// A term with its concept and weight.
  struct Variant {
    var start: Int
    var end: Int
    var concept: UInt8
    var weight: Float
    /// The next variant with the same bytes, for another concept; -1 if none.
    var next: Int32
  }

  private(set) var variants: [Variant] = []
  private var bytes: [UInt8] = []
  private var slots: [Int32] = Array(repeating: -1, count: 256)
  /// A filter that passes the variants.
  private(set) var filter = WordFilter.none

  /// Adds a term; if the concept has it already, the greater weight counts.
  /// - Returns: the index of the variant.
  @inline(never)
  mutating func insert(_ term: ArraySlice<UInt8>, concept: Int, weight: Float) -> Int {
    if (variants.count + 1) * 2 > slots.count { grow() }
    let slot = slot(of: term)
    var index = slots[slot]
    while index >= 0 {
      if Int(variants[Int(index)].concept) == concept {
        variants[Int(index)].weight = max(variants[Int(index)].weight, weight)
        return Int(index)
      }
      index = variants[Int(index)].next
    }
    filter.insert(term)
    let start = bytes.count
    bytes.append(contentsOf: term)
    variants.append(
      Variant(start: start, end: bytes.count, concept: UInt8(concept), weight: weight, next: slots[slot])
    )
    slots[slot] = Int32(variants.count - 1)
    return variants.count - 1
  }

  /// The first variant that equals a word, with a link to the others in `next`; -1 if none.
  func first(_ word: [UInt8]) -> Int {
    Int(slots[slot(of: word[...])])
  }

  subscript(index: Int) -> ArraySlice<UInt8> { bytes[variants[index].start..<variants[index].end] }

  private func slot(of term: ArraySlice<UInt8>) -> Int {
    var slot = Int(truncatingIfNeeded: TermHash.hash(term)) & (slots.count - 1)
    while slots[slot] >= 0, self[Int(slots[slot])] != term {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: -1, count: old.count * 2)
    for head in old where head >= 0 {
      slots[slot(of: self[Int(head)])] = head
    }
  }
}
