// Longbox
// SPDX-License-Identifier: MIT

extension Library {
  /// Takes over every entry of another library that this one lacks or has an earlier stamp of.
  ///
  /// It costs as much as the other library is long, however long this one is.
  /// - Parameters:
  ///   - other: a whole library, or a part of one.
  ///   - isKnown: whether the other side of this copy's sync has it all already, so that none of it counts as a write.
  /// - Throws: `LibraryError.full`; the library is as before then.
  public mutating func merge(_ other: Library, isKnown: Bool = false) throws(LibraryError) {
    let number = isKnown ? 0 : sequence + 1
    var merged = self
    var isChanged = false
    var place = 0
    for theirs in other.entries {
      // Both are in order, so the place is often the one after the last.
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
