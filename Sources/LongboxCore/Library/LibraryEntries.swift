// Longbox
// SPDX-License-Identifier: MIT

/// A register as one copy of a library holds it.
public struct LibraryRegister: Equatable, Sendable {
  /// The key, its value and the time of the write.
  public var entry: LibraryEntry
  /// The ``Library/sequence`` at which it was written here; 0 where it came from the server.
  public var sequence: UInt64

  /// Makes a register.
  public init(entry: LibraryEntry, sequence: UInt64) {
    self.entry = entry
    self.sequence = sequence
  }
}

/// The entries of a library, ordered by key.
///
/// They are stored in chunks of at most 256 registers. Changing one entry of a shared copy copies one chunk, not the library.
public struct LibraryEntries: Sendable {
  struct Chunk: Sendable {
    var registers: [LibraryRegister]
    /// No register in the chunk has a greater sequence.
    var greatestSequence: UInt64

    mutating func note(_ sequence: UInt64) {
      if sequence > greatestSequence { greatestSequence = sequence }
    }
  }

  /// The most registers in a chunk.
  static var chunkLimit: Int { 256 }

  private(set) var chunks: [Chunk] = []
  /// For each chunk the place of its first entry.
  private var starts: [Int] = []
  /// How many entries there are.
  public private(set) var count = 0

  init() {}

  /// The register at a place.
  func register(at place: Int) -> LibraryRegister {
    let chunk = chunk(of: place)
    return chunks[chunk].registers[place - starts[chunk]]
  }

  /// The place of the first entry whose key meets a condition; the keys that meet it come after all others.
  func firstPlace(where condition: (Text) -> Bool) -> Int {
    var low = 0
    var high = chunks.count
    while low < high {
      let middle = low + (high - low) / 2
      if condition(chunks[middle].registers[0].entry.key.text) { high = middle } else { low = middle + 1 }
    }
    guard low > 0 else { return 0 }
    let start = starts[low - 1]
    high = chunks[low - 1].registers.count
    let chunk = low - 1
    low = 1
    while low < high {
      let middle = low + (high - low) / 2
      if condition(chunks[chunk].registers[middle].entry.key.text) { high = middle } else { low = middle + 1 }
    }
    return start + low
  }

  /// Writes over the register at a place; the key stays.
  mutating func replace(at place: Int, with register: LibraryRegister) {
    let chunk = chunk(of: place)
    chunks[chunk].registers[place - starts[chunk]] = register
    chunks[chunk].note(register.sequence)
  }

  /// Adds a register at the place to which its key belongs.
  mutating func insert(_ register: LibraryRegister, at place: Int) {
    var chunk = chunks.isEmpty ? 0 : chunk(of: place)
    if chunks.isEmpty || chunks[chunk].registers.count == Self.chunkLimit {
      if place == count {
        chunk = chunks.count
        chunks.append(Chunk(registers: [], greatestSequence: 0))
        starts.append(count)
      } else {
        split(chunk)
        chunk = self.chunk(of: place)
      }
    }
    chunks[chunk].registers.insert(register, at: place - starts[chunk])
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

  /// The chunk that has a place.
  private func chunk(of place: Int) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if starts[middle] <= place { low = middle } else { high = middle }
    }
    return low
  }
}

extension LibraryEntries: RandomAccessCollection {
  /// The first place.
  public var startIndex: Int { 0 }
  /// The place after the last.
  public var endIndex: Int { count }
  /// The entry at a place.
  public subscript(place: Int) -> LibraryEntry { register(at: place).entry }

  /// Walks over all entries without looking up places.
  public func makeIterator() -> Iterator { Iterator(chunks: chunks) }

  /// The walk over all entries.
  public struct Iterator: IteratorProtocol {
    let chunks: [Chunk]
    private var chunk = 0
    private var place = 0

    init(chunks: [Chunk]) {
      self.chunks = chunks
    }

    /// The next entry, or nothing after the last.
    public mutating func next() -> LibraryEntry? {
      guard chunk < chunks.count else { return nil }
      let entry = chunks[chunk].registers[place].entry
      place += 1
      if place == chunks[chunk].registers.count { (chunk, place) = (chunk + 1, 0) }
      return entry
    }
  }
}

extension LibraryEntries: Equatable {
  /// Compares the registers; how they are divided into chunks doesn't matter.
  public static func == (left: LibraryEntries, right: LibraryEntries) -> Bool {
    guard left.count == right.count else { return false }
    for place in left.indices where left.register(at: place) != right.register(at: place) { return false }
    return true
  }
}
