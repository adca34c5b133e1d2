// Longbox
// SPDX-License-Identifier: MIT

/// What a reader did: favourites, read marks, place, settings, saved things, as an ordered map of stamped registers.
///
/// Two copies are merged by keeping the greater stamp of each key, which is commutative, associative and idempotent:
/// devices may sync in any order, twice, or a week late, and end with the same. A removal is an entry too.
///
/// Looking an entry up is a binary search, and changing one costs the same in a large library as in a small one
/// (``LibraryEntries``). The meaning of the keys is in the extensions beside this file; keys and values of newer
/// versions are kept and passed on untouched.
public struct Library: Sendable {
  /// All entries, removals included, ordered by key.
  public internal(set) var entries: LibraryEntries
  /// Counts the writes in this copy, so that a sync can ask for what came after one.
  public internal(set) var sequence: UInt64
  /// The greatest stamp in the library.
  public internal(set) var latest: Stamp
  /// The bytes of all keys and values.
  public internal(set) var size: Int
  /// The ``digest``, once it has been remembered.
  private(set) var knownDigest: UInt64?

  /// Makes an empty library.
  public init() {
    entries = LibraryEntries()
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
    self.init()
    for index in entries.indices {
      guard index == 0 || entries[index - 1].key < entries[index].key else { throw .unordered }
      guard sequences[index] <= sequence else { throw .malformed }
      add(entries[index], sequence: sequences[index])
      guard size <= LibraryLimits.size else { throw .full }
    }
    self.sequence = sequence
  }

  /// The entry of a key, be it a value or a removal.
  public func entry(_ key: LibraryKey) -> LibraryEntry? {
    entry(key, at: place(ofFirstNotBefore: key.text))
  }

  /// What a key holds, or nothing.
  public func value(_ key: LibraryKey) -> Text? { entry(key)?.value }

  /// The places in ``entries`` of all keys that begin with a prefix.
  public func places(under prefix: Text) -> Range<Int> {
    let start = place(ofFirstNotBefore: prefix)
    return start..<entries.firstPlace { !$0.precedes(prefix) && !$0.starts(with: prefix) }
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
  /// The place of the first entry whose key is not before some bytes.
  func place(ofFirstNotBefore key: Text) -> Int {
    entries.firstPlace { !$0.precedes(key) }
  }

  /// The entry at a place, where it is that of a key.
  func entry(_ key: LibraryKey, at place: Int) -> LibraryEntry? {
    guard place < entries.count else { return nil }
    let entry = entries[place]
    return entry.key == key ? entry : nil
  }

  /// Writes an entry, over the one that its key has or at the place to which it belongs; limits are the caller's to check.
  mutating func put(_ entry: LibraryEntry, over old: LibraryEntry?, at place: Int, sequence: UInt64) {
    size += entry.size - (old?.size ?? 0)
    latest = max(latest, entry.stamp)
    if let digest = knownDigest { knownDigest = digest &- (old?.digest ?? 0) &+ entry.digest }
    let register = LibraryRegister(entry: entry, sequence: sequence)
    if old != nil {
      entries.replace(at: place, with: register)
    } else {
      entries.insert(register, at: place)
    }
  }

  /// Adds an entry whose key comes after all others.
  mutating func add(_ entry: LibraryEntry, sequence: UInt64) {
    put(entry, over: nil, at: entries.count, sequence: sequence)
  }

  /// Remembers the digest, so that it is not added up again at each sync; writes keep it up to date.
  public mutating func rememberDigest() {
    knownDigest = digest
  }
}

extension Library: Equatable {
  /// Compares what both hold and when it was written here.
  public static func == (left: Library, right: Library) -> Bool {
    left.sequence == right.sequence && left.entries == right.entries
  }
}
