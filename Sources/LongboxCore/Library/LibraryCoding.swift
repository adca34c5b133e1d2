// Longbox
// SPDX-License-Identifier: MIT

/// The encoding of the entries:
///
///     varint  number of devices, then each as u64, ascending
///     varint  number of entries, then each, ordered by key:
///       varint  length of the longest common prefix with the key before
///       varint  length of the rest of the key, then the rest
///       varint  0 for a removal, else 1 + length of the value, then the value
///       varint  time of the timestamp
///       varint  counter of the timestamp
///       varint  index of the timestamp's device
///       varint  sequence, in a replica only, not in a sync's changes
///
/// The encoding is canonical: decoding and encoding yields the same bytes.
extension Library {
  /// Appends the sequence and all entries with theirs.
  func append(to bytes: inout [UInt8]) {
    bytes.appendVarint(sequence)
    appendEntries(to: &bytes, withSequences: true)
  }

  init(reading reader: inout ByteReader) throws(LibraryError) {
    let sequence = try reader.varint()
    guard sequence <= UInt64(Int64.max) else { throw .malformed }
    self = try Library(entriesIn: &reader, upTo: sequence)
  }

  func appendEntries(to bytes: inout [UInt8], withSequences: Bool = false) {
    var seen: [UInt64] = []
    for entry in entries where seen.last != entry.timestamp.device { seen.append(entry.timestamp.device) }
    var devices: [UInt64] = []
    for index in sortedIndices(seen.count, by: { seen[$0] < seen[$1] }) where devices.last != seen[index] {
      devices.append(seen[index])
    }
    bytes.appendCount(devices.count)
    for device in devices { bytes.append64(device) }
    bytes.appendCount(entries.count)
    var previous = Text.empty
    forEachRegister(writtenAfter: nil) { register in
      let entry = register.entry
      let key = entry.key.text
      let shared = key.sharedCount(with: previous)
      bytes.appendCount(shared)
      bytes.appendCount(key.count - shared)
      bytes.append(contentsOf: key.bytes.dropFirst(shared))
      bytes.append(value: entry.value)
      bytes.appendVarint(entry.timestamp.time)
      bytes.appendVarint(UInt64(entry.timestamp.counter))
      bytes.appendCount(devices.sortedIndex(of: entry.timestamp.device))
      if withSequences { bytes.appendVarint(register.sequence) }
      previous = key
    }
  }

  /// Decodes entries; with sequences if the greatest valid one is given.
  init(entriesIn reader: inout ByteReader, upTo sequence: UInt64? = nil) throws(LibraryError) {
    var devices = try DeviceTable(&reader)
    let count = try reader.count(atMost: LibraryLimits.entryCount)
    guard count <= reader.rest.count / 6 else { throw .malformed }
    var entries: [LibraryEntry] = []
    var sequences: [UInt64] = []
    entries.reserveCapacity(count)
    sequences.reserveCapacity(count)
    var previous = Text.empty
    var size = 0
    for _ in 0..<count {
      let key = try LibraryKey(reading: &reader, after: previous)
      let value = try reader.value()
      let time = try reader.time()
      let counter = try reader.counter()
      let timestamp = Timestamp(time: time, counter: counter, device: try devices.device(&reader))
      let entry = try LibraryEntry(key: key, value: value, timestamp: timestamp)
      size += entry.size
      guard size <= LibraryLimits.size else { throw .full }
      entries.append(entry)
      sequences.append(sequence == nil ? 0 : try reader.varint())
      previous = key.text
    }
    guard devices.areAllUsed else { throw .malformed }
    try self.init(entries: entries, sequences: sequences, sequence: sequence ?? 0)
  }
}

extension LibraryKey {
  /// Decodes a key; rejects one that isn't after the previous key or isn't in its shortest form.
  fileprivate init(reading reader: inout ByteReader, after previous: Text) throws(LibraryError) {
    let shared = try reader.count(atMost: previous.count)
    let count = try reader.count(atMost: LibraryLimits.keyLength - shared)
    let rest = try reader.slice(count)
    guard let first = rest.first else { throw .malformed }
    if shared < previous.count {
      guard first > previous.bytes[previous.bytes.startIndex + shared] else { throw .malformed }
    }
    let isWhole = shared == 0
    try self.init(isWhole ? Text(rest) : Text(Array(previous.bytes.prefix(shared)) + rest))
  }
}

/// The devices of the timestamps in an encoded library.
private struct DeviceTable {
  private var devices: [UInt64] = []
  private var isUsed: [Bool] = []

  init(_ reader: inout ByteReader) throws(LibraryError) {
    let count = try reader.count(atMost: LibraryLimits.entryCount)
    guard count <= reader.rest.count / 8 else { throw .malformed }
    devices.reserveCapacity(count)
    for _ in 0..<count {
      let device = try reader.word64()
      if let last = devices.last, last >= device { throw .malformed }
      devices.append(device)
    }
    isUsed = Array(repeating: false, count: count)
  }

  var areAllUsed: Bool { isUsed.allSatisfy { $0 } }

  mutating func device(_ reader: inout ByteReader) throws(LibraryError) -> UInt64 {
    let index = try reader.count(atMost: LibraryLimits.entryCount)
    guard index < devices.count else { throw .malformed }
    isUsed[index] = true
    return devices[index]
  }
}

extension Text {
  /// The length of the common prefix with another text, in bytes.
  fileprivate func sharedCount(with other: Text) -> Int {
    var count = 0
    let start = bytes.startIndex
    let otherStart = other.bytes.startIndex
    while count < min(self.count, other.count), bytes[start + count] == other.bytes[otherStart + count] {
      count += 1
    }
    return count
  }
}

extension [UInt64] {
  fileprivate func sortedIndex(of value: UInt64) -> Int {
    indices.partitioningIndex { self[$0] >= value }
  }
}

/// The frame around every stored or sent encoding of a library.
///
///     0  magic  89 4C 42 4C  (detects transfers in text mode, as in PNG)
///     4  u8  format version
///     5  u8  kind
///     6  u16 zero
///     8  u32 length of the whole in bytes
///    12  the body
///   end  u64 XXH64 of all before it
///
/// All numbers are little-endian.
enum Envelope {
  enum Kind: UInt8 {
    case replica = 2
    case request = 3
    case reply = 4
    case undo = 5
  }

  static let magic: [UInt8] = [0x89, 0x4C, 0x42, 0x4C]
  static let version: UInt8 = 1
  static let headerLength = 12
  static let checksumLength = 8

  static func seal(_ body: [UInt8], as kind: Kind) -> [UInt8] {
    let length = headerLength + body.count + checksumLength
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    bytes.append(contentsOf: magic)
    bytes.append(version)
    bytes.append(kind.rawValue)
    bytes.append16(0)
    bytes.append32(UInt32(truncatingIfNeeded: length))
    bytes.append(contentsOf: body)
    bytes.append64(XXH64.hash(bytes.span.bytes))
    return bytes
  }

  static func open(_ bytes: [UInt8], as kind: Kind) throws(LibraryError) -> ByteReader {
    guard bytes.count <= LibraryLimits.encodedLength else { throw .full }
    let span = bytes.span.bytes
    guard bytes.count >= headerLength + checksumLength, bytes.starts(with: magic) else { throw .foreign }
    guard span.byte(at: 4) == version else { throw .unsupportedVersion(Int(span.byte(at: 4))) }
    guard let length = span.count32(at: 8) else { throw .malformed }
    guard length == bytes.count else { throw .wrongLength(expected: length, found: bytes.count) }
    let end = bytes.count - checksumLength
    guard XXH64.hash(span.extracting(0..<end)) == span.word64(at: end) else { throw .damaged }
    guard span.word16(at: 6) == 0 else { throw .malformed }
    guard span.byte(at: 5) == kind.rawValue else { throw .unexpectedKind(Int(span.byte(at: 5))) }
    return ByteReader(bytes[headerLength..<end])
  }
}

/// Reads numbers and slices from untrusted bytes, with bounds checks.
struct ByteReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() throws(LibraryError) -> UInt8 {
    guard let byte = rest.popFirst() else { throw .malformed }
    return byte
  }

  mutating func word64() throws(LibraryError) -> UInt64 {
    guard rest.count >= 8 else { throw .malformed }
    var value: UInt64 = 0
    for (index, byte) in rest.prefix(8).enumerated() { value |= UInt64(byte) << UInt64(8 * index) }
    rest.removeFirst(8)
    return value
  }

  /// Reads a LEB128 number in its shortest form; rejects longer encodings, so that each number has one form.
  mutating func varint() throws(LibraryError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      let bits = UInt64(byte & 0x7F)
      guard shift < 63 || bits <= 1 else { throw .malformed }
      value |= bits << shift
      guard byte & 0x80 != 0 else {
        guard byte != 0 || shift == 0 else { throw .malformed }
        return value
      }
      shift += 7
      guard shift <= 63 else { throw .malformed }
    }
  }

  mutating func count(atMost bound: Int) throws(LibraryError) -> Int {
    guard let value = Int(exactly: try varint()), value <= bound else { throw .malformed }
    return value
  }

  /// Reads the next bytes without copying.
  mutating func slice(_ count: Int) throws(LibraryError) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw .malformed }
    let slice = rest.prefix(count)
    rest.removeFirst(count)
    return slice
  }

  mutating func flag() throws(LibraryError) -> Bool {
    let byte = try byte()
    guard byte <= 1 else { throw .malformed }
    return byte == 1
  }

  mutating func time() throws(LibraryError) -> UInt64 {
    let time = try varint()
    guard time <= Timestamp.greatestTime else { throw .malformed }
    return time
  }

  /// Reads the counter of a timestamp.
  mutating func counter() throws(LibraryError) -> UInt32 {
    guard let counter = UInt32(exactly: try varint()) else { throw .malformed }
    return counter
  }

  /// Reads a timestamp: varint time, varint counter, u64 device.
  mutating func timestamp() throws(LibraryError) -> Timestamp {
    let time = try time()
    let counter = try counter()
    return Timestamp(time: time, counter: counter, device: try word64())
  }

  /// Reads a register's value: varint 0 for none, else 1 + its length, then the value.
  mutating func value() throws(LibraryError) -> Text? {
    let length = try count(atMost: LibraryLimits.valueLength + 1)
    return length > 0 ? Text(try slice(length - 1)) : nil
  }
}

/// The writing of what a ``ByteReader`` reads.
extension [UInt8] {
  mutating func append(_ timestamp: Timestamp) {
    appendVarint(timestamp.time)
    appendVarint(UInt64(timestamp.counter))
    append64(timestamp.device)
  }

  mutating func append(value: Text?) {
    appendCount(value.map { $0.count + 1 } ?? 0)
    if let value { append(contentsOf: value.bytes) }
  }
}
