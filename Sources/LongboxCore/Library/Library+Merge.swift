// Longbox
// SPDX-License-Identifier: MIT

extension Library {
  /// Merges another library: takes each entry that is missing here or has an earlier timestamp here.
  ///
  /// The cost depends on the size of the other library, not of this one.
  /// - Parameters:
  ///   - other: a whole library, or a part of one.
  ///   - isKnown: whether the other side of the sync already has it, so that it doesn't count as a write.
  /// - Throws: `LibraryError.full`; the library is then unchanged.
  public mutating func merge(_ other: Library, isKnown: Bool = false) throws(LibraryError) {
    let number = isKnown ? 0 : sequence + 1
    var merged = self
    var isChanged = false
    var place = 0
    for theirs in other.entries {
      // Both are ordered, so the index is often the one after the last.
      if place < merged.entries.count, merged.entries[place].key < theirs.key {
        place = merged.place(ofFirstNotBefore: theirs.key.text)
      }
      let ours = merged.entry(theirs.key, at: place)
      if ours.map({ theirs.beats($0) }) ?? true {
        merged.put(theirs, over: ours, at: place, sequence: number)
        isChanged = true
      }
      place += 1
    }
    guard isChanged else { return }
    guard merged.entries.count <= LibraryLimits.entryCount, merged.size <= LibraryLimits.size else {
      throw .full
    }
    merged.sequence = max(sequence, number)
    self = merged
  }
}
