// Longbox
// SPDX-License-Identifier: MIT

/// A reader's data (favorites, read marks, place, settings, saved things) as a map of timestamped registers.
///
/// Merging two copies keeps the greater timestamp of each key. This is commutative, associative and
/// idempotent: devices may sync in any order, twice or a week late, and end with the same data. A removal is
/// an entry too.
///
/// Lookup is a binary search, and a change of a shared copy copies few of its entries (``LibraryEntries``).
/// Extensions define the keys. Unknown keys and values are kept and synced unchanged.
public struct Library: Sendable {
  /// All entries, removals included, ordered by key.
  public internal(set) var entries: LibraryEntries
  /// Counts the writes in this copy, so that a sync can select later ones.
  public internal(set) var sequence: UInt64
  /// The greatest timestamp in the library.
  public internal(set) var latest: Timestamp
  /// The total bytes of all keys and values.
  public internal(set) var size: Int
  /// The cached ``digest``.
  private(set) var knownDigest: UInt64?

  /// Creates an empty library.
  public init() {
    entries = LibraryEntries()
    sequence = 0
    latest = .earliest
    size = 0
  }

  /// Restores a library that a host has stored.
  /// - Parameters:
  ///   - entries: the entries, ordered by key, each key once.
  ///   - sequences: one for each entry, none greater than `sequence`.
  ///   - sequence: the number of writes so far.
  /// - Throws: `LibraryError.unordered`, `.full`, or `.malformed` if the sequences don't fit.
  public init(entries: [LibraryEntry], sequences: [UInt64], sequence: UInt64) throws(LibraryError) {
    guard entries.count <= LibraryLimits.entryCount else { throw .full }
    guard entries.count == sequences.count else { throw .malformed }
    self.init()
    for index in entries.indices {
      guard index == 0 || entries[index - 1].key < entries[index].key else { throw .unordered }
      guard sequences[index] <= sequence else { throw .malformed }
      add(entries[index], sequence: sequences[index])
      guard size <= LibraryLimits.size else { throw .full }
    }
    self.sequence = sequence
  }

  /// The entry of a key, a value or a removal.
  public func entry(_ key: LibraryKey) -> LibraryEntry? {
    entry(key, at: place(ofFirstNotBefore: key.text))
  }

  /// The value of a key, or nil.
  public func value(_ key: LibraryKey) -> Text? { entry(key)?.value }

  /// The indices in ``entries`` of all keys with a prefix.
  public func places(under prefix: Text) -> Range<Int> {
    let start = place(ofFirstNotBefore: prefix)
    return start..<entries.firstPlace { !$0.precedes(prefix) && !$0.starts(with: prefix) }
  }

  /// Writes or removes the value of a register.
  /// - Parameters:
  ///   - key: the register.
  ///   - value: the new value; nil removes it.
  ///   - timestamp: later than ``latest``, as a ``LibraryClock`` issues it; an earlier one loses in merges.
  /// - Returns: the undo of this write.
  /// - Throws: `LibraryError.valueTooLong` or `LibraryError.full`; the library is then unchanged.
  @discardableResult
  public mutating func set(_ key: LibraryKey, to value: Text?, timestamp: Timestamp) throws(LibraryError)
    -> Undo
  {
    let entry = try LibraryEntry(key: key, value: value, timestamp: timestamp)
    let place = place(ofFirstNotBefore: key.text)
    let old = self.entry(key, at: place)
    if let old, !entry.beats(old) { return Undo() }
    guard old != nil || value != nil else { return Undo() }
    guard old != nil || entries.count < LibraryLimits.entryCount else { throw .full }
    guard size - (old?.size ?? 0) + entry.size <= LibraryLimits.size else { throw .full }
    sequence += 1
    put(entry, over: old, at: place, sequence: sequence)
    return Undo(key: key, before: old?.value, after: value)
  }
}

extension Library {
  /// The index of the first entry whose key is not before the given one.
  func place(ofFirstNotBefore key: Text) -> Int {
    entries.firstPlace { !$0.precedes(key) }
  }

  /// The entry at an index if it has the given key.
  func entry(_ key: LibraryKey, at place: Int) -> LibraryEntry? {
    guard place < entries.count else { return nil }
    let entry = entries[place]
    return entry.key == key ? entry : nil
  }

  /// Writes an entry, in place of the key's old one or at its index; the caller checks the limits.
  mutating func put(_ entry: LibraryEntry, over old: LibraryEntry?, at place: Int, sequence: UInt64) {
    size += entry.size - (old?.size ?? 0)
    latest = max(latest, entry.timestamp)
    if let digest = knownDigest { knownDigest = digest &- (old?.digest ?? 0) &+ entry.digest }
    let register = LibraryRegister(entry: entry, sequence: sequence)
    if old != nil {
      entries.replace(at: place, with: register)
    } else {
      entries.insert(register, at: place)
    }
  }

  /// Appends an entry whose key comes after all others.
  mutating func add(_ entry: LibraryEntry, sequence: UInt64) {
    put(entry, over: nil, at: entries.count, sequence: sequence)
  }

  /// Caches the digest for the next syncs; writes keep it up to date.
  public mutating func rememberDigest() {
    knownDigest = digest
  }
}

extension Library: Equatable {
  /// Compares the entries and their sequences.
  public static func == (left: Library, right: Library) -> Bool {
    left.sequence == right.sequence && left.entries == right.entries
  }
}
