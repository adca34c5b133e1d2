// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore
import TestSupport
import Testing

@testable import LongboxStore

@Suite("Stored libraries") struct StoreLibrariesTests {
  private let date = Date(timeIntervalSince1970: 1_800_000_000)
  private let a = LibraryName(key: [1])
  private let b = LibraryName(key: [2])
  private let c = LibraryName(key: [3])
  private let d = LibraryName(key: [4])

  private func key(_ text: Text) throws -> LibraryKey { try LibraryKey(text) }

  private func write(_ key: Text, _ value: Text?, to replica: inout Replica) throws {
    try replica.library.set(LibraryKey(key), to: value, timestamp: replica.editTime(at: 1_000).timestamp)
  }

  private func replica(_ keys: Text..., device: UInt64 = .max) throws -> Replica {
    var replica = Replica(device: device)
    for key in keys { try write(key, "1", to: &replica) }
    return replica
  }

  private func rows(_ store: Store) async throws -> Int {
    try await store.rowCount(of: "library_register")
  }

  /// The number of rows that the store's connection has written.
  private func changes(_ store: Store) async throws -> Int {
    try await store.sqlite.writeDatabase { $0.totalChangesCount }
  }

  @Test(arguments: Engine.tested)
  func `are read as written, with removals, empty values and any bytes`(engine: Engine) async throws {
    let folder = TemporaryFolder()
    let store = try await engine.open(folder.url)
    var replica = try replica("favorite/comic/1", "gone", "\u{0}", "local/setting/keepComics")
    try write("gone", nil, to: &replica)
    try write("empty", "", to: &replica)
    let long = try LibraryKey(Text([UInt8](repeating: 255, count: LibraryLimits.keyLength)))
    try replica.library.set(
      long,
      to: Text([UInt8](repeating: 0, count: LibraryLimits.valueLength)),
      timestamp: Timestamp(time: Timestamp.greatestTime, counter: .max, device: .max)
    )
    try await store.libraries.save(replica, changedSince: 0, as: a, at: date)
    #expect(try await store.libraries.library(a) == .library(replica))
    try await store.closeOnNewThread()
    #expect(try await engine.open(folder.url).libraries.library(a) == .library(replica))
  }

  @Test func `are written as changed rows only, whatever the size of the library`() async throws {
    let folder = TemporaryFolder()
    let store = try Store.open(folder.url)
    let entries = try (0..<20_000).map { number in
      try LibraryEntry(
        key: LibraryKey("read/comic/" + Text(decimal: 1_000_000 + number)),
        value: "1",
        timestamp: Timestamp(time: 1, device: 1)
      )
    }
    let library = try Library(entries: entries, sequences: entries.map { _ in 1 }, sequence: 1)
    var replica = Replica(library: library, device: 7)
    try await store.libraries.save(replica, changedSince: 0, as: a, at: date)
    // Closing empties the log, so that it then holds only the ten changes.
    try await store.closeOnNewThread()
    let opened = try Store.open(folder.url)
    let before = try await changes(opened)
    for round in 1...10 {
      let sequence = replica.library.sequence
      try write("read/comic/" + Text(decimal: 1_000_000 + round * 1_000), "0", to: &replica)
      try await opened.libraries.save(replica, changedSince: sequence, as: a, at: date)
    }
    #expect(try await changes(opened) - before == 20, "ten registers, and the library's row each time")
    let log = try Data(contentsOf: folder.path("longbox.sqlite-wal")).count
    #expect(log < 10 * 6 * 4_200, "each change writes a few pages of 4 KiB: \(log) bytes")
    #expect(try await opened.libraries.library(a) == .library(replica))
  }

  @Test(arguments: Engine.tested)
  func `are not overwritten by a writer that has read an older state`(engine: Engine) async throws {
    let folder = TemporaryFolder()
    let store = try await engine.open(folder.url)
    var replica = try replica("x")
    try await store.libraries.save(replica, changedSince: 0, as: a, at: date)
    let before = replica
    try write("y", "1", to: &replica)
    for sequence in [0, replica.library.sequence] as [UInt64] {
      await #expect(throws: StoreError.self) {
        try await store.libraries.save(replica, changedSince: sequence, as: a, at: date)
      }
    }
    await #expect(throws: StoreError.self) {
      try await store.libraries.save(self.replica("z", device: 1), changedSince: 1, as: a, at: date)
    }
    #expect(try await store.libraries.library(a) == .library(before))
  }

  @Test(arguments: Engine.tested)
  func `are not made again from the last changes of a removed one`(engine: Engine) async throws {
    let folder = TemporaryFolder()
    let store = try await engine.open(folder.url)
    var replica = try replica("x")
    try await store.libraries.save(replica, changedSince: 0, as: a, at: date)
    for day in 1...3 {
      _ = try await store.libraries.expire(idleDays: 1, unusedDays: 1, at: date + Double(day) * 86_400)
    }
    try write("y", "1", to: &replica)
    let changed = replica
    await #expect(throws: StoreError.conflict) {
      try await store.libraries.save(changed, changedSince: 1, as: self.a, at: self.date)
    }
    #expect(try await store.libraries.library(a) == .none)
  }

  @Test(arguments: Engine.tested)
  func `fail to load where their rows are inconsistent, and stay unchanged`(engine: Engine) async throws {
    let folder = TemporaryFolder()
    let store = try await engine.open(folder.url)
    try await store.libraries.save(replica("x"), changedSince: 0, as: a, at: date)
    try await store.libraries.save(replica("y"), changedSince: 0, as: b, at: date)
    try await store.write { database in
      try database.change("UPDATE library_register SET sequence = 99 WHERE key = $1", .bytes([0x78]))
    }
    await #expect { try await store.libraries.library(a) } throws: { error in
      if case StoreError.damaged = error { true } else { false }
    }
    #expect(try await store.libraries.library(b) == .library(replica("y")))
    #expect(try await rows(store) == 2)
  }

  @Test(arguments: Engine.tested)
  func `that were paired are one library under both names`(engine: Engine) async throws {
    let folder = TemporaryFolder()
    let store = try await engine.open(folder.url)
    var merged = try replica("b")
    let left = try replica("a")
    try await store.libraries.save(left, changedSince: 0, as: a, at: date)
    try await store.libraries.save(merged, changedSince: 0, as: b, at: date)
    try write("a", "1", to: &merged)
    try await store.libraries.pair(a, holding: left, with: b, merged: merged, changedSince: 1, at: date)
    #expect(try await store.libraries.home(of: a) == b)
    #expect(try await store.libraries.home(of: b) == b)
    #expect(try await store.libraries.library(a) == .paired(with: b))
    #expect(try await store.libraries.library(b) == .library(merged))
    #expect(try await store.usage().libraries == 1)
    #expect(try await rows(store) == 2)
  }

  @Test(arguments: Engine.tested)
  func `that were paired in a chain lead to the last in one step`(engine: Engine) async throws {
    let folder = TemporaryFolder()
    let store = try await engine.open(folder.url)
    let one = try replica("1")
    try await store.libraries.save(one, changedSince: 0, as: a, at: date)
    try await store.libraries.pair(a, holding: one, with: b, merged: one, changedSince: 0, at: date)
    try await store.libraries.pair(b, holding: one, with: c, merged: one, changedSince: 0, at: date)
    try await store.libraries.pair(d, holding: nil, with: c, merged: one, changedSince: 1, at: date)
    for name in [a, b, c, d] { #expect(try await store.libraries.home(of: name) == c) }
    #expect(try await store.libraries.library(c) == .library(one))
    #expect(try await store.usage().libraries == 1)
    #expect(try await rows(store) == 1)
  }

  @Test(arguments: Engine.tested)
  func `are their own home, also where they do not exist`(engine: Engine) async throws {
    let folder = TemporaryFolder()
    let store = try await engine.open(folder.url)
    try await store.libraries.save(replica("1"), changedSince: 0, as: a, at: date)
    #expect(try await store.libraries.home(of: a) == a)
    #expect(try await store.libraries.home(of: b) == b)
    #expect(try await store.libraries.library(b) == .none)
  }

  /// Cuts the log at any byte, as a kill or power loss does: the library is one after a whole edit.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `are whole after a kill, whatever part of the log was written`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let folder = TemporaryFolder()
    let store = try Store.open(folder.url)
    var replica = Replica(device: 3)
    var states = [StoredLibrary.none]
    for _ in 1...25 {
      let sequence = replica.library.sequence
      let timestamp = replica.editTime(at: 1_000).timestamp
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let number = Int.random(in: 1...3_000, using: &random)
        try replica.library.set(
          LibraryKey("k" + Text(decimal: number)),
          to: Text(repeatElement(65, count: Int.random(in: 0...500, using: &random))),
          timestamp: timestamp
        )
      }
      try await store.libraries.save(replica, changedSince: sequence, as: a, at: date)
      states.append(.library(replica))
    }
    let log = try Data(contentsOf: folder.path("longbox.sqlite-wal"))
    var found: Set<Int> = []
    for _ in 1...12 {
      let left = try folder.copy()
      try FileManager.default.removeItem(at: left.path("longbox.sqlite-shm"))
      let length = Int.random(in: 0...log.count, using: &random)
      try log.prefix(length).write(to: left.path("longbox.sqlite-wal"))
      let opened = try Store.open(left.url)
      let state = try states.firstIndex(of: await opened.libraries.library(a))
      found.insert(try #require(state, "seed \(seed), \(length) bytes: the library is none that was saved"))
      try await opened.closeOnNewThread()
    }
    #expect(found.count > 2, "the cuts fell too close together: seed \(seed)")
  }
}
