// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxCore

struct LibraryEntriesTests {
  /// The expected content as a plain table, without chunks.
  private struct Model {
    var registers: [String: LibraryRegister] = [:]

    var ordered: [LibraryRegister] {
      registers.values.sorted { $0.entry.key < $1.entry.key }
    }

    mutating func write(_ entry: LibraryEntry, sequence: UInt64) {
      let key = entry.key.text.description
      if let old = registers[key], !entry.beats(old.entry) { return }
      registers[key] = LibraryRegister(entry: entry, sequence: sequence)
    }
  }

  private static func entry(_ number: Int, time: UInt64, using random: inout SeededGenerator) throws
    -> LibraryEntry
  {
    let prefix: Text = Bool.random(using: &random) ? "read/comic/" : "local/"
    let value = Text(decimal: Int.random(in: 0...1000, using: &random))
    return try LibraryEntry(
      key: LibraryKey(prefix + Text(decimal: number)),
      value: Int.random(in: 0..<8, using: &random) == 0 ? nil : value,
      timestamp: Timestamp(time: time, device: 1)
    )
  }

  private static func library(_ count: Int) throws -> Library {
    let entries = try (0..<count).map { number in
      try LibraryEntry(
        key: LibraryKey("k" + Text(number, digits: 6)),
        value: "1",
        timestamp: Timestamp(time: 1, device: 1)
      )
    }
    return try Library(entries: entries, sequences: entries.map { _ in 1 }, sequence: 1)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func `equals a plain table after any writes and merges`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (library, model) = (Library(), Model())
    if seed % 2 == 0 { library.rememberDigest() }
    for round in 1...120 {
      let time = UInt64(round)
      if Bool.random(using: &random) {
        let entry = try Self.entry(Int.random(in: 0..<2000, using: &random), time: time, using: &random)
        let before = library.sequence
        try library.set(entry.key, to: entry.value, timestamp: entry.timestamp)
        if library.sequence > before { model.write(entry, sequence: library.sequence) }
      } else {
        var other = Library()
        let start = Int.random(in: 0..<1500, using: &random)
        for number in start..<(start + Int.random(in: 1...400, using: &random)) {
          let time = time + UInt64.random(in: 0...1, using: &random)
          let entry = try Self.entry(number, time: time, using: &random)
          try other.merge(Library(entries: [entry], sequences: [0], sequence: 0))
        }
        let isKnown = Bool.random(using: &random)
        let sequence = isKnown ? 0 : library.sequence + 1
        for entry in other.entries { model.write(entry, sequence: sequence) }
        try library.merge(other, isKnown: isKnown)
      }
    }
    let expected = model.ordered
    #expect(library.entries.count > 3 * LibraryEntries.chunkLimit, "seed \(seed)")
    #expect(library.registers(writtenAfter: nil) == expected, "seed \(seed)")
    #expect(library.entries.indices.map { library.entries[$0] } == expected.map(\.entry), "seed \(seed)")
    #expect(library.size == expected.reduce(0) { $0 + $1.entry.size }, "seed \(seed)")
    #expect(library.latest == expected.map(\.entry.timestamp).max(), "seed \(seed)")
    for sequence in [0, 1, library.sequence / 2, library.sequence] {
      let late = expected.filter { $0.sequence > sequence }
      #expect(library.registers(writtenAfter: sequence) == late, "seed \(seed), \(sequence)")
    }
    for register in expected {
      #expect(library.entry(register.entry.key) == register.entry, "seed \(seed)")
    }
    let rebuilt = try Library(
      entries: expected.map(\.entry),
      sequences: expected.map(\.sequence),
      sequence: library.sequence
    )
    #expect(library == rebuilt, "seed \(seed)")
    #expect(library.digest == rebuilt.digest, "seed \(seed)")
    #expect(try Library(decoding: library.encoded()) == rebuilt, "seed \(seed)")
  }

  /// A server keeps a copy in memory while it edits, so an edit must not copy the library.
  @Test func `shares with a copy all chunks but the edited one`() throws {
    let before = try Self.library(50_000)
    var after = before
    try after.set(LibraryKey("k025000"), to: "2", timestamp: Timestamp(time: 2, device: 1))
    var changes = Library()
    try changes.set(LibraryKey("k025001"), to: "2", timestamp: Timestamp(time: 3, device: 1))
    try after.merge(changes)
    let (old, new) = (before.entries.chunks, after.entries.chunks)
    try #require(old.count == new.count)
    let copied = old.indices.count { place in
      old[place].registers.withUnsafeBufferPointer { $0.baseAddress }
        != new[place].registers.withUnsafeBufferPointer { $0.baseAddress }
    }
    #expect(copied == 1)
    #expect(before.value(try LibraryKey("k025000")) == "1")
    #expect(after.value(try LibraryKey("k025000")) == "2")
  }

  @Test func `answers a sync with the new entries, and keeps its digest up to date`() throws {
    var server = try Self.library(5_000)
    server.rememberDigest()
    var changes = Library()
    try changes.set(LibraryKey("k000007"), to: "2", timestamp: Timestamp(time: 2, device: 2))
    try changes.set(LibraryKey("k000009"), to: "0", timestamp: Timestamp(time: 0, device: 2))
    try server.set(LibraryKey("new"), to: "3", timestamp: Timestamp(time: 3, device: 1))
    let request = SyncRequest(nonce: 1, epoch: 5, since: 1, changes: changes)
    let reply = try server.answer(request, epoch: 5, at: 1_000)
    guard case .merged(let merged) = reply.outcome else {
      Issue.record("nothing was merged")
      return
    }
    #expect(merged.changes.entries.map(\.key.text) == ["k000009", "new"])
    #expect(merged.digest == (try Library(decoding: server.encoded())).digest)
  }
}
