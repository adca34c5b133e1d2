// Longbox
// SPDX-License-Identifier: MIT

import Testing
import TestSupport

@testable import LongboxCore

struct LibraryTests {
  @Test func `returns what was written, and nil for what was removed`() throws {
    var replica = Replica(device: 7)
    let key = try LibraryKey("saved/album/1")
    try replica.edit(at: 5) { library, editTime in
      try library.set(key, to: "one", timestamp: editTime.timestamp)
    }
    #expect(replica.library.value(key) == "one")
    #expect(replica.library.entry(key)?.timestamp == Timestamp(time: 5, counter: 0, device: 7))
    try replica.edit(at: 5) { library, editTime in
      try library.set(key, to: nil, timestamp: editTime.timestamp)
    }
    #expect(replica.library.value(key) == nil)
    #expect(replica.library.entry(key)?.timestamp == Timestamp(time: 5, counter: 1, device: 7))
    #expect(replica.library.sequence == 2)
  }

  @Test func `writes nothing when it removes a missing key`() throws {
    var library = Library()
    let undo = try library.set(LibraryKey("place"), to: nil, timestamp: Timestamp(time: 1, device: 1))
    #expect(undo.isEmpty)
    #expect(library == Library())
  }

  @Test func `does not let an earlier timestamp win`() throws {
    var library = Library()
    let key = try LibraryKey("place")
    try library.set(key, to: "new", timestamp: Timestamp(time: 9, device: 1))
    #expect(try library.set(key, to: "old", timestamp: Timestamp(time: 8, device: 9)).isEmpty)
    #expect(library.value(key) == "new")
    #expect(library.sequence == 1)
  }

  @Test func `keeps its entries in byte order`() throws {
    var library = Library()
    let keys: [Text] = ["b", "a", "ab", "a/", "\u{FF}", "aa"]
    for (index, key) in keys.enumerated() {
      try library.set(LibraryKey(key), to: "", timestamp: Timestamp(time: UInt64(index + 1), device: 1))
    }
    #expect(library.entries.map { $0.key.text.description } == ["a", "a/", "aa", "ab", "b", "\u{FF}"])
    #expect(library.places(under: "a") == 0..<4)
    #expect(library.places(under: "c") == 5..<5)
    #expect(library.size == 10)
  }
}

struct LibraryLimitsTests {
  @Test func `are 1 to 200 bytes for a key`() throws {
    #expect(throws: LibraryError.keyLength(0)) { try LibraryKey("") }
    #expect(throws: LibraryError.keyLength(201)) { try LibraryKey(Text(repeatElement(65, count: 201))) }
    #expect(try LibraryKey(Text(repeatElement(65, count: 200))).text.count == 200)
  }

  @Test func `are 4 KB for a value`() throws {
    var library = Library()
    let timestamp = Timestamp(time: 1, device: 1)
    #expect(throws: LibraryError.valueTooLong(4097)) {
      try library.set(LibraryKey("k"), to: Text(repeatElement(65, count: 4097)), timestamp: timestamp)
    }
    #expect(library == Library())
    try library.set(LibraryKey("k"), to: Text(repeatElement(65, count: 4096)), timestamp: timestamp)
    #expect(library.size == 4097)
  }

  /// Values of 4 KB and their keys fill the limit until no further one fits; the last value fills the rest.
  @Test func `are 8 MiB in total, for writing and merging`() throws {
    let value = Text(repeatElement(65, count: 4096))
    var entries: [LibraryEntry] = []
    for index in 0..<2045 {
      let key = try LibraryKey("k" + Text(index, digits: 5))
      entries.append(try LibraryEntry(key: key, value: value, timestamp: Timestamp(time: 1, device: 1)))
    }
    var library = try Library(entries: entries, sequences: entries.map { _ in 0 }, sequence: 0)
    let room = LibraryLimits.size - library.size
    #expect((1...4000).contains(room), "less than one value is left")
    let before = library
    let timestamp = Timestamp(time: 2, device: 1)
    #expect(throws: LibraryError.full) {
      try library.set(LibraryKey("m"), to: Text(repeatElement(65, count: room)), timestamp: timestamp)
    }
    var other = Library()
    try other.set(LibraryKey("m"), to: Text(repeatElement(65, count: room)), timestamp: timestamp)
    #expect(throws: LibraryError.full) { try library.merge(other) }
    #expect(library == before)
    try library.set(LibraryKey("m"), to: Text(repeatElement(65, count: room - 1)), timestamp: timestamp)
    #expect(library.size == LibraryLimits.size)
    #expect(try Library(decoding: library.encoded()) == library)
  }

  @Test func `are 100,000 entries, for writing and merging`() throws {
    var entries: [LibraryEntry] = []
    for index in 0..<LibraryLimits.entryCount {
      let key = try LibraryKey(Text(index, digits: 6))
      entries.append(try LibraryEntry(key: key, value: nil, timestamp: Timestamp(time: 1, device: 1)))
    }
    var library = try Library(entries: entries, sequences: entries.map { _ in 0 }, sequence: 0)
    let timestamp = Timestamp(time: 2, device: 1)
    #expect(throws: LibraryError.full) { try library.set(LibraryKey("m"), to: "", timestamp: timestamp) }
    var other = Library()
    try other.set(LibraryKey("m"), to: "", timestamp: timestamp)
    #expect(throws: LibraryError.full) { try library.merge(other) }
    try library.set(LibraryKey("000000"), to: "x", timestamp: timestamp)
    #expect(try Library(decoding: library.encoded()) == library)
    entries.append(try #require(other.entries.first))
    #expect(throws: LibraryError.full) {
      try Library(entries: entries, sequences: entries.map { _ in 0 }, sequence: 0)
    }
  }

  @Test func `are checked for what a host has stored`() throws {
    let timestamp = Timestamp(time: 1, device: 1)
    let first = try LibraryEntry(key: LibraryKey("a"), value: nil, timestamp: timestamp)
    let second = try LibraryEntry(key: LibraryKey("b"), value: nil, timestamp: timestamp)
    #expect(throws: LibraryError.unordered) {
      try Library(entries: [second, first], sequences: [0, 0], sequence: 0)
    }
    #expect(throws: LibraryError.unordered) {
      try Library(entries: [first, first], sequences: [0, 0], sequence: 0)
    }
    #expect(throws: LibraryError.malformed) { try Library(entries: [first], sequences: [], sequence: 0) }
    #expect(throws: LibraryError.malformed) { try Library(entries: [first], sequences: [2], sequence: 1) }
  }

  @Test(
    arguments: [
      .keyLength(0), .valueTooLong(1), .noteTooLong(1), .savedName, .full, .unordered, .foreign,
      .unsupportedVersion(2), .unexpectedKind(1), .wrongLength(expected: 1, found: 2), .damaged, .malformed,
    ] as [LibraryError]
  )
  func `are described in a sentence`(error: LibraryError) {
    #expect(error.description.hasSuffix("."))
    #expect(error.description.count > 25)
  }
}

struct LibraryMergeTests {
  @Test(arguments: 0..<500 as Range<UInt64>)
  func `is commutative, associative and idempotent`(seed: UInt64) throws {
    let one = try LibrarySamples.library(seed: seed * 3)
    let two = try LibrarySamples.library(seed: seed * 3 + 1)
    let three = try LibrarySamples.library(seed: seed * 3 + 2)
    #expect(try one.merging(two).content == two.merging(one).content, "seed \(seed)")
    let left = try one.merging(two).merging(three)
    let right = try one.merging(two.merging(three))
    #expect(left.content == right.content, "seed \(seed)")
    #expect(left.digest == right.digest, "seed \(seed)")
    #expect(left.latest == right.latest && left.size == right.size, "seed \(seed)")
    #expect(try one.merging(one) == one, "seed \(seed)")
    #expect(try left.merging(two) == left, "seed \(seed)")
  }

  /// The merge rule written out for one register at a time.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `keeps for each key what a naive rule keeps`(seed: UInt64) throws {
    let one = try LibrarySamples.library(seed: seed, count: 0...30)
    let two = try LibrarySamples.library(seed: seed + 1000, count: 0...30)
    let merged = try one.merging(two)
    var keys: Set<String> = []
    for entry in one.content + two.content {
      keys.insert(entry.key.text.description)
      let candidates = [one.entry(entry.key), two.entry(entry.key)].compactMap { $0 }
      let greatest = try #require(candidates.map(\.timestamp).max())
      let winners = candidates.filter { $0.timestamp == greatest }
      let expected = try #require(
        winners.max { left, right in
          guard let value = right.value else { return false }
          return left.value.map { Array($0.bytes).lexicographicallyPrecedes(Array(value.bytes)) } ?? true
        }
      )
      #expect(merged.entry(entry.key) == expected, "seed \(seed), key \(entry.key.text)")
    }
    #expect(merged.entries.count == keys.count, "seed \(seed)")
  }

  @Test func `counts as one write, and as none for entries that the other side knows`() throws {
    var one = Library()
    try one.set(LibraryKey("a"), to: "1", timestamp: Timestamp(time: 1, device: 1))
    var two = Library()
    try two.set(LibraryKey("b"), to: "1", timestamp: Timestamp(time: 1, device: 2))
    try two.set(LibraryKey("c"), to: "1", timestamp: Timestamp(time: 2, device: 2))
    var written = one
    try written.merge(two)
    #expect(written.sequence == 2)
    #expect(written.changes(since: 1).content == two.content)
    var known = one
    try known.merge(two, isKnown: true)
    #expect(known.sequence == 1)
    #expect(known.changes(since: 1).content.isEmpty)
    #expect(known.changes(since: nil).content == written.content)
    try written.merge(two)
    #expect(written.sequence == 2)
  }

  @Test func `leaves local registers on the device`() throws {
    var library = Library()
    let empty = library.digest
    try library.set(LibraryKey("local/a"), to: "1", timestamp: Timestamp(time: 1, device: 1))
    #expect(library.changes(since: nil).content.isEmpty)
    #expect(library.digest == empty)
  }

  @Test func `distinguishes different content by its digest`() throws {
    var seen: [UInt64: Library] = [:]
    for seed in 0..<2000 as Range<UInt64> {
      let library = try LibrarySamples.library(seed: seed)
      if let other = seen[library.digest] { #expect(other.content == library.content, "seed \(seed)") }
      seen[library.digest] = library
    }
    #expect(seen.count > 1000)
  }
}
