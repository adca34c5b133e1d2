// Longbox
// SPDX-License-Identifier: MIT

/// A reader's data (favorites, read marks, place, settings, saved things) as a map of timestamped registers.
///
/// Merging two copies keeps the greater timestamp of each key. This is commutative, associative and
/// idempotent: devices may sync in any order, twice or a week late, and end with the same data. A removal is
/// an entry too.
///
/// Lookup is a binary search, and a change of a shared copy copies few of its entries (``LibraryEntries``).
/// The extensions in Contents/ define the keys. Unknown keys and values are kept and synced unchanged.
public struct Library: Sendable {
  /// All entries, removals included, ordered by key.
  public private(set) var entries: LibraryEntries
  /// Counts the writes in this copy, so that a sync can select later ones.
  public internal(set) var sequence: UInt64
  /// The greatest timestamp in the library.
  public internal(set) var latest: Timestamp
  /// The total bytes of all keys and values.
  public private(set) var size: Int
  /// The cached ``digest``.
  private(set) var knownDigest: UInt64?

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
    entry(key, at: index(ofFirstNotBefore: key.text))
  }

  /// The value of a key, or nil.
  public func value(_ key: LibraryKey) -> Text? { entry(key)?.value }

  /// The indices in ``entries`` of all keys with a prefix.
  public func places(under prefix: Text) -> Range<Int> {
    let start = index(ofFirstNotBefore: prefix)
    return start..<entries.firstIndex(whereKey: { !$0.precedes(prefix) && !$0.starts(with: prefix) })
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
    let index = index(ofFirstNotBefore: key.text)
    let old = self.entry(key, at: index)
    if let old, !entry.beats(old) { return Undo() }
    guard old != nil || value != nil else { return Undo() }
    guard old != nil || entries.count < LibraryLimits.entryCount else { throw .full }
    guard size - (old?.size ?? 0) + entry.size <= LibraryLimits.size else { throw .full }
    sequence += 1
    put(entry, over: old, at: index, sequence: sequence)
    return Undo(key: key, before: old?.value, after: value)
  }

  /// The index of the first entry whose key is not before the given one.
  func index(ofFirstNotBefore key: Text) -> Int {
    entries.firstIndex(whereKey: { !$0.precedes(key) })
  }

  /// The entry at an index if it has the given key.
  func entry(_ key: LibraryKey, at index: Int) -> LibraryEntry? {
    guard index < entries.count else { return nil }
    let entry = entries[index]
    return entry.key == key ? entry : nil
  }

  /// Writes an entry, in place of the key's old one or at its index; the caller checks the limits.
  mutating func put(_ entry: LibraryEntry, over old: LibraryEntry?, at index: Int, sequence: UInt64) {
    size += entry.size - (old?.size ?? 0)
    latest = max(latest, entry.timestamp)
    if let digest = knownDigest { knownDigest = digest &- (old?.digest ?? 0) &+ entry.digest }
    let register = LibraryRegister(entry: entry, sequence: sequence)
    if old != nil {
      entries.replace(at: index, with: register)
    } else {
      entries.insert(register, at: index)
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
    var index = 0
    for theirs in other.entries {
      // Both are ordered, so the index is often the one after the last.
      if index < merged.entries.count, merged.entries[index].key < theirs.key {
        index = merged.index(ofFirstNotBefore: theirs.key.text)
      }
      let ours = merged.entry(theirs.key, at: index)
      if ours.map({ theirs.beats($0) }) ?? true {
        merged.put(theirs, over: ours, at: index, sequence: number)
        isChanged = true
      }
      index += 1
    }
    guard isChanged else { return }
    guard merged.entries.count <= LibraryLimits.entryCount, merged.size <= LibraryLimits.size else {
      throw .full
    }
    merged.sequence = max(sequence, number)
    self = merged
  }

  /// Takes the registers that another node has stored since this copy was read.
  ///
  /// The stored registers come from merges, so each replaces the one here.
  /// - Parameters:
  ///   - registers: those with a sequence after this copy's ``sequence``, ordered by key.
  ///   - sequence: the stored library's sequence.
  /// - Throws: `LibraryError.malformed` if the sequences don't fit, or `.full`; the library is then unchanged.
  public mutating func take(
    _ registers: [LibraryRegister],
    upTo sequence: UInt64
  ) throws(LibraryError) {
    guard sequence >= self.sequence else { throw .malformed }
    var newest = self
    for register in registers {
      guard register.sequence <= sequence else { throw .malformed }
      let index = newest.index(ofFirstNotBefore: register.entry.key.text)
      let old = newest.entry(register.entry.key, at: index)
      newest.put(register.entry, over: old, at: index, sequence: register.sequence)
    }
    guard newest.entries.count <= LibraryLimits.entryCount, newest.size <= LibraryLimits.size else {
      throw .full
    }
    newest.sequence = sequence
    self = newest
  }

  /// The entries written in this copy after a sequence, without local ones.
  /// - Parameter sequence: a ``sequence`` of this copy, or nil for all entries.
  public func changes(since sequence: UInt64?) -> Library {
    var changes = Library()
    forEachRegister(writtenAfter: sequence) { register in
      if !register.entry.key.isLocal { changes.add(register.entry, sequence: 0) }
    }
    return changes
  }

  /// The entries written in this copy after a sequence, local ones included.
  public func entries(writtenAfter sequence: UInt64) -> Library {
    var written = Library()
    forEachRegister(writtenAfter: sequence) { written.add($0.entry, sequence: 0) }
    return written
  }

  /// The registers written in this copy after a sequence, or all, ordered by key; includes local ones.
  public func registers(writtenAfter sequence: UInt64?) -> [LibraryRegister] {
    var registers: [LibraryRegister] = []
    forEachRegister(writtenAfter: sequence) { registers.append($0) }
    return registers
  }

  /// Calls a closure with the registers written after a sequence, or all; skips chunks without any.
  func forEachRegister(writtenAfter sequence: UInt64?, _ body: (LibraryRegister) -> Void) {
    for chunk in entries.chunks {
      if let sequence, chunk.greatestSequence <= sequence { continue }
      for register in chunk.registers {
        if let sequence, register.sequence <= sequence { continue }
        body(register)
      }
    }
  }

  /// The changes that the other side of a sync lacks.
  ///
  /// These are the entries written since, and those of which the other side sent an earlier version.
  func changes(since sequence: UInt64?, for received: Library) -> Library {
    var changes = Library()
    var index = 0
    for entry in self.changes(since: sequence).entries {
      while index < received.entries.count, received.entries[index].key < entry.key {
        changes.add(ourVersionOf: received.entries[index], from: self)
        index += 1
      }
      if index < received.entries.count, received.entries[index].key == entry.key {
        changes.add(ourVersionOf: received.entries[index], from: self)
        index += 1
      } else {
        changes.add(entry, sequence: 0)
      }
    }
    while index < received.entries.count {
      changes.add(ourVersionOf: received.entries[index], from: self)
      index += 1
    }
    return changes
  }

  /// Adds this copy's version of an entry if it differs.
  private mutating func add(ourVersionOf theirs: LibraryEntry, from copy: Library) {
    guard let ours = copy.entry(theirs.key), ours != theirs, !ours.key.isLocal else { return }
    add(ours, sequence: 0)
  }

  /// An order-independent checksum of all entries that are not local; equal for equal content.
  ///
  /// It is the sum of the entries' 64-bit hashes. It detects accidents, not forgery.
  public var digest: UInt64 {
    if let knownDigest { return knownDigest }
    var sum: UInt64 = 0
    for entry in entries { sum &+= entry.digest }
    return sum
  }
}

extension Library: Equatable {
  /// Compares the entries and their sequences.
  public static func == (left: Library, right: Library) -> Bool {
    left.sequence == right.sequence && left.entries == right.entries
  }
}
