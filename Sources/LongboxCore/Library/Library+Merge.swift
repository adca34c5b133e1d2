// Longbox
// SPDX-License-Identifier: MIT

extension Library {
  /// Takes over every entry of another library that this one lacks or has an earlier stamp of.
  /// - Parameters:
  ///   - other: a whole library, or a part of one.
  ///   - isKnown: whether the other side of this copy's sync has it all already, so that none of it counts as a write.
  /// - Throws: `LibraryError.full`; the library is as before then.
  public mutating func merge(_ other: Library, isKnown: Bool = false) throws(LibraryError) {
    guard other.entries.contains(where: { theirs in entry(theirs.key).map { theirs.beats($0) } ?? true })
    else {
      return
    }
    let number = isKnown ? 0 : sequence + 1
    var merged = Library()
    merged.entries.reserveCapacity(max(entries.count, other.entries.count))
    merged.sequences.reserveCapacity(max(entries.count, other.entries.count))
    var place = 0
    for theirs in other.entries {
      while place < entries.count, entries[place].key < theirs.key {
        merged.add(entries[place], sequence: sequences[place])
        place += 1
      }
      if place < entries.count, entries[place].key == theirs.key {
        let wins = theirs.beats(entries[place])
        merged.add(wins ? theirs : entries[place], sequence: wins ? number : sequences[place])
        place += 1
      } else {
        merged.add(theirs, sequence: number)
      }
    }
    while place < entries.count {
      merged.add(entries[place], sequence: sequences[place])
      place += 1
    }
    guard merged.entries.count <= LibraryLimits.entryCount, merged.size <= LibraryLimits.size else {
      throw .full
    }
    merged.sequence = max(sequence, number)
    self = merged
  }

  /// Adds an entry whose key comes after all others.
  mutating func add(_ entry: LibraryEntry, sequence: UInt64) {
    entries.append(entry)
    sequences.append(sequence)
    size += entry.size
    latest = max(latest, entry.stamp)
  }
}
