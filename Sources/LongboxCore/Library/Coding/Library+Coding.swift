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
    for place in sortedIndices(seen.count, by: { seen[$0] < seen[$1] }) where devices.last != seen[place] {
      devices.append(seen[place])
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
      bytes.appendCount(entry.value.map { $0.count + 1 } ?? 0)
      if let value = entry.value { bytes.append(contentsOf: value.bytes) }
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
      let length = try reader.count(atMost: LibraryLimits.valueLength + 1)
      let value = length > 0 ? Text(try reader.slice(length - 1)) : nil
      let time = try reader.time()
      guard let counter = UInt32(exactly: try reader.varint()) else { throw .malformed }
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
