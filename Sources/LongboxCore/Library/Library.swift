// Longbox
// SPDX-License-Identifier: MIT

/// What a reader did: favourites, read marks, place, settings, saved things, as an ordered map of stamped registers.
///
/// Two copies are merged by keeping the greater stamp of each key, which is commutative, associative and idempotent:
/// devices may sync in any order, twice, or a week late, and end with the same. A removal is an entry too.
///
/// Entries stand in one sorted array: a look-up is a binary search, a merge one walk over both, and the ten thousand
/// entries of an avid reader are a few hundred kilobytes. The meaning of the keys is in the extensions beside this
/// file; keys and values of newer versions are kept and passed on untouched.
public struct Library: Equatable, Sendable {
  /// All entries, removals included, ordered by key.
  public internal(set) var entries: [LibraryEntry]
  /// For each entry the ``sequence`` at which it was written here; 0 where it came from the server.
  public internal(set) var sequences: [UInt64]
  /// Counts the writes in this copy, so that a sync can ask for what came after one.
  public internal(set) var sequence: UInt64
  /// The greatest stamp in the library.
  public internal(set) var latest: Stamp
  /// The bytes of all keys and values.
  public internal(set) var size: Int

  /// Makes an empty library.
  public init() {
    entries = []
    sequences = []
    sequence = 0
    latest = .earliest
    size = 0
  }

  /// Makes a library of what one held, as a host has stored it.
  /// - Parameters:
  ///   - entries: ordered by key, each key once.
  ///   - sequences: one for each entry, none greater than `sequence`.
  ///   - sequence: how many writes there were.
  /// - Throws: `LibraryError.unordered`, `LibraryError.full`, or `LibraryError.malformed` where the sequences don't fit.
  public init(entries: [LibraryEntry], sequences: [UInt64], sequence: UInt64) throws(LibraryError) {
    guard entries.count <= LibraryLimits.entryCount else { throw .full }
    guard entries.count == sequences.count else { throw .malformed }
    var latest = Stamp.earliest
    var size = 0
    for index in entries.indices {
      guard index == 0 || entries[index - 1].key < entries[index].key else { throw .unordered }
      guard sequences[index] <= sequence else { throw .malformed }
      latest = max(latest, entries[index].stamp)
      size += entries[index].size
      guard size <= LibraryLimits.size else { throw .full }
    }
    self.entries = entries
    self.sequences = sequences
    self.sequence = sequence
    self.latest = latest
    self.size = size
  }

  /// The entry of a key, be it a value or a removal.
  public func entry(_ key: LibraryKey) -> LibraryEntry? {
    let place = place(ofFirstNotBefore: key.text)
    return place < entries.count && entries[place].key == key ? entries[place] : nil
  }

  /// What a key holds, or nothing.
  public func value(_ key: LibraryKey) -> Text? { entry(key)?.value }

  /// The places in ``entries`` of all keys that begin with a prefix.
  public func places(under prefix: Text) -> Range<Int> {
    let start = place(ofFirstNotBefore: prefix)
    var end = start
    while end < entries.count, entries[end].key.text.starts(with: prefix) { end += 1 }
    return start..<end
  }

  /// Writes one register, or removes what it holds.
  /// - Parameters:
  ///   - key: the register.
  ///   - value: what it shall hold; nothing removes.
  ///   - stamp: later than ``latest``, as a ``LibraryClock`` issues them; an earlier one loses by the rule of merging.
  /// - Returns: what takes the write back.
  /// - Throws: `LibraryError.valueTooLong` or `LibraryError.full`; the library is as before then.
  @discardableResult
  public mutating func set(_ key: LibraryKey, to value: Text?, stamp: Stamp) throws(LibraryError) -> Undo {
    let entry = try LibraryEntry(key: key, value: value, stamp: stamp)
    let place = place(ofFirstNotBefore: key.text)
    let old = place < entries.count && entries[place].key == key ? entries[place] : nil
    if let old, !entry.beats(old) { return Undo() }
    guard old != nil || value != nil else { return Undo() }
    guard old != nil || entries.count < LibraryLimits.entryCount else { throw .full }
    let newSize = size - (old?.size ?? 0) + entry.size
    guard newSize <= LibraryLimits.size else { throw .full }
    sequence += 1
    size = newSize
    latest = max(latest, stamp)
    if old != nil {
      entries[place] = entry
      sequences[place] = sequence
    } else {
      entries.insert(entry, at: place)
      sequences.insert(sequence, at: place)
    }
    return Undo(key: key, before: old?.value, after: value)
  }

  /// The place of the first entry whose key is not before some bytes.
  private func place(ofFirstNotBefore key: Text) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].key.text.precedes(key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
