// Longbox
// SPDX-License-Identifier: MIT

/// The name of a register in a library, such as `favorite/comic/353`.
///
/// A key is 1 to 200 bytes of any content; unknown keys are kept and synced. Keys that begin with `local/`
/// stay on the device.
public struct LibraryKey: Equatable, Sendable {
  /// The bytes of the key.
  public let text: Text

  /// Creates a key from any bytes.
  /// - Throws: `LibraryError.keyLength`.
  public init(_ text: Text) throws(LibraryError) {
    guard !text.isEmpty, text.count <= LibraryLimits.keyLength else { throw .keyLength(text.count) }
    self.text = text
  }

  /// Creates a key whose length is known to be valid.
  init(known text: Text) {
    self.text = text
  }

  init(_ prefix: Text, _ number: Comic.Number) {
    self.init(known: prefix + Text(decimal: number.value))
  }

  /// The comic whose number follows a prefix; nil if the rest isn't a number without leading zeros.
  func comic(after prefix: Text) -> Comic.Number? {
    let digits = Text(text.bytes.dropFirst(prefix.count))
    guard digits.bytes.first != UInt8(ascii: "0") else { return nil }
    return digits.number.flatMap { Comic.Number($0) }
  }

  /// Whether the register is not synced.
  public var isLocal: Bool { text.starts(with: "local/") }
}

extension LibraryKey: Comparable {
  /// Orders by unsigned bytes; a prefix comes before longer keys.
  public static func < (left: LibraryKey, right: LibraryKey) -> Bool { left.text.precedes(right.text) }
}

/// A register of a library: a key, its value, and when that was written.
public struct LibraryEntry: Equatable, Sendable {
  /// The register's name.
  public let key: LibraryKey
  /// The value, or nil if it was removed; a removal is kept and synced like a value.
  public let value: Text?
  /// When the value was written.
  public internal(set) var timestamp: Timestamp

  /// Creates an entry.
  /// - Throws: `LibraryError.valueTooLong`.
  public init(key: LibraryKey, value: Text?, timestamp: Timestamp) throws(LibraryError) {
    let length = value?.count ?? 0
    guard length <= LibraryLimits.valueLength else { throw .valueTooLong(length) }
    self.key = key
    self.value = value
    self.timestamp = timestamp
  }

  /// The bytes that count towards ``LibraryLimits/size``.
  var size: Int { key.text.count + (value?.count ?? 0) }

  /// Whether the entry wins against another with the same key.
  ///
  /// The greater timestamp wins. Equal timestamps with different values come from two devices with one number
  /// (a copied browser profile): then a value beats a removal, and the greater bytes beat the lesser.
  func beats(_ other: LibraryEntry) -> Bool {
    guard timestamp == other.timestamp else { return timestamp > other.timestamp }
    guard let value else { return false }
    guard let otherValue = other.value else { return true }
    return otherValue.precedes(value)
  }

  /// The entry's share of ``Library/digest``; 0 if it is local.
  var digest: UInt64 {
    guard !key.isLocal else { return 0 }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + 22)
    bytes.append64(timestamp.time)
    bytes.append32(timestamp.counter)
    bytes.append64(timestamp.device)
    bytes.append(UInt8(truncatingIfNeeded: key.text.count))
    bytes.append(value == nil ? 0 : 1)
    bytes.append(contentsOf: key.text.bytes)
    if let value { bytes.append(contentsOf: value.bytes) }
    return XXH64.hash(bytes.span.bytes)
  }
}

/// A register as one copy of a library stores it.
public struct LibraryRegister: Equatable, Sendable {
  /// The key, the value and the timestamp.
  public var entry: LibraryEntry
  /// The ``Library/sequence`` at which this copy wrote it; 0 if it came from the server.
  public var sequence: UInt64

  public init(entry: LibraryEntry, sequence: UInt64) {
    self.entry = entry
    self.sequence = sequence
  }
}

/// The entries of a library, ordered by key.
///
/// They are in chunks of at most 256 registers; changing an entry of a shared copy copies its chunk
/// and the list of chunks.
public struct LibraryEntries: Sendable {
  struct Chunk: Sendable {
    var registers: [LibraryRegister]
    /// An upper bound of the sequences in the chunk.
    var greatestSequence: UInt64

    mutating func note(_ sequence: UInt64) {
      if sequence > greatestSequence { greatestSequence = sequence }
    }
  }

  static var chunkLimit: Int { 256 }

  private(set) var chunks: [Chunk] = []
  /// The index of the first entry of each chunk.
  private var starts: [Int] = []
  public private(set) var count = 0

  init() {}

  func register(at index: Int) -> LibraryRegister {
    let chunk = chunk(of: index)
    return chunks[chunk].registers[index - starts[chunk]]
  }

  /// The index of the first entry whose key meets a condition; all keys that meet it must come last.
  func firstIndex(whereKey condition: (Text) -> Bool) -> Int {
    let chunk = chunks.indices.partitioningIndex { condition(chunks[$0].registers[0].entry.key.text) } - 1
    guard chunk >= 0 else { return 0 }
    return starts[chunk]
      + (1..<chunks[chunk].registers.count).partitioningIndex {
        condition(chunks[chunk].registers[$0].entry.key.text)
      }
  }

  /// Replaces the register at an index; the key must be the same.
  mutating func replace(at index: Int, with register: LibraryRegister) {
    let chunk = chunk(of: index)
    chunks[chunk].registers[index - starts[chunk]] = register
    chunks[chunk].note(register.sequence)
  }

  /// Inserts a register at the index of its key.
  mutating func insert(_ register: LibraryRegister, at index: Int) {
    var chunk = chunks.isEmpty ? 0 : chunk(of: index)
    if chunks.isEmpty || chunks[chunk].registers.count == Self.chunkLimit {
      if index == count {
        chunk = chunks.count
        chunks.append(Chunk(registers: [], greatestSequence: 0))
        starts.append(count)
      } else {
        split(chunk)
        chunk = self.chunk(of: index)
      }
    }
    chunks[chunk].registers.insert(register, at: index - starts[chunk])
    chunks[chunk].note(register.sequence)
    count += 1
    for later in starts.indices.dropFirst(chunk + 1) { starts[later] += 1 }
  }

  private mutating func split(_ chunk: Int) {
    let half = Self.chunkLimit / 2
    let moved = Array(chunks[chunk].registers[half...])
    chunks[chunk].registers.removeLast(moved.count)
    chunks.insert(Chunk(registers: moved, greatestSequence: chunks[chunk].greatestSequence), at: chunk + 1)
    starts.insert(starts[chunk] + half, at: chunk + 1)
  }

  private func chunk(of index: Int) -> Int {
    Swift.max(starts.indices.partitioningIndex { starts[$0] > index } - 1, 0)
  }
}

extension LibraryEntries: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public subscript(index: Int) -> LibraryEntry { register(at: index).entry }

  /// Iterates over all entries without index lookups.
  public func makeIterator() -> Iterator { Iterator(chunks: chunks) }

  public struct Iterator: IteratorProtocol {
    let chunks: [Chunk]
    private var chunk = 0
    private var index = 0

    init(chunks: [Chunk]) {
      self.chunks = chunks
    }

    /// The next entry, or nil after the last.
    public mutating func next() -> LibraryEntry? {
      guard chunk < chunks.count else { return nil }
      let entry = chunks[chunk].registers[index].entry
      index += 1
      if index == chunks[chunk].registers.count { (chunk, index) = (chunk + 1, 0) }
      return entry
    }
  }
}

extension LibraryEntries: Equatable {
  /// Compares the registers, regardless of their division into chunks.
  public static func == (left: LibraryEntries, right: LibraryEntries) -> Bool {
    guard left.count == right.count else { return false }
    for index in left.indices where left.register(at: index) != right.register(at: index) { return false }
    return true
  }
}
