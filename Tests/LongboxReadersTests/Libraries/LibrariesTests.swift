// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import TestSupport
import Testing

@testable import LongboxReaders

@Suite("Readers' libraries") struct LibrariesTests {
  private static let date = Date(timeIntervalSince1970: 1_800_000_000)
  private let folder = TemporaryFolder()
  private let names = (0..<4).map { LibraryName(key: [UInt8($0)]) }

  private func libraries(_ store: Store, memory: Int = 64 << 20) -> Libraries {
    var limits = StorageLimits()
    limits.libraries.newLibrary = .max
    limits.newBytesPerAddress = .max
    return Libraries(store: store, memory: memory, limits: limits) { Self.date }
  }

  /// Sets a register with a given timestamp.
  private static func write(_ key: String, _ value: Text?, _ time: Int, to library: inout Library) {
    do {
      let timestamp = Timestamp(time: UInt64(time), device: 1)
      try library.set(LibraryKey(Text(string: key)), to: value, timestamp: timestamp)
    } catch {
      Issue.record(error)
    }
  }

  // MARK: Storage

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func `store all changes in memory and on disk`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store.open(folder.url)
    // Without a memory cache every step reads from disk.
    let libraries = libraries(store, memory: seed % 2 == 0 ? 0 : 64 << 20)
    var model = LibraryModel()
    for time in 1...150 {
      let name = names[Int.random(in: 0..<names.count, using: &random)]
      let keys = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        (["read/comic/", "saved/x/", "local/"].randomElement(using: &random) ?? "")
          + "\(Int.random(in: 1...400, using: &random))"
      }
      let value: Text? = Int.random(in: 0..<6, using: &random) == 0 ? nil : Text(decimal: time)
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        let other = names[Int.random(in: 0..<names.count, using: &random)]
        let paired = try await libraries.pair(name, with: other)
        try model.pair(name, with: other)
        #expect(paired == model.libraries[model.home(other)] ?? Library(), "seed \(seed), step \(time)")
      case 1...6:
        var changes = Library()
        for key in keys where !key.hasPrefix("local/") { Self.write(key, value, time, to: &changes) }
        let request = SyncRequest(nonce: 1, epoch: 0, since: 0, changes: changes)
        let isMade = !changes.entries.isEmpty || model.libraries[model.home(name)] != nil
        let reply = try await libraries.edit(name, makes: true) { replica in
          Result { () throws(LibraryError) in try replica.library.answer(request, epoch: 5, at: 1_000) }
        }
        var library = model.libraries[model.home(name)] ?? Library()
        let expected = try library.answer(request, epoch: 5, at: 1_000)
        #expect(try reply?.get() == expected, "seed \(seed), step \(time)")
        if isMade { model.libraries[model.home(name)] = library }
      default:
        let makes = Bool.random(using: &random)
        let isDone = try await libraries.edit(name, makes: makes) { replica in
          for key in keys { Self.write(key, value, time, to: &replica.library) }
          return true
        }
        let isThere = model.libraries[model.home(name)] != nil
        #expect((isDone ?? false) == (makes || isThere), "seed \(seed), step \(time)")
        guard makes || isThere else { continue }
        var library = model.libraries[model.home(name)] ?? Library()
        for key in keys { Self.write(key, value, time, to: &library) }
        if isThere || library.sequence > 0 { model.libraries[model.home(name)] = library }
      }
    }
    let left = try folder.copy()
    let stored = try Store.open(left.url)
    let reopened = self.libraries(stored)
    for name in names {
      let expected = model.libraries[model.home(name)]
      #expect(try await libraries.storedLibrary(name) == expected, "seed \(seed)")
      #expect(try await reopened.storedLibrary(name) == expected, "seed \(seed), after a kill")
      for other in names {
        let areOne = model.home(name) == model.home(other)
        #expect(try await reopened.areOne(name, other) == areOne, "seed \(seed)")
      }
    }
    #expect(try await stored.usage().libraries == model.libraries.count, "seed \(seed)")
    try await stored.closeOnNewThread()
  }

  @Test func `are not created by reading, nor by an edit without changes`() async throws {
    let store = try Store.open(folder.url)
    let libraries = libraries(store)
    #expect(try await libraries.storedLibrary(names[0]) == nil)
    #expect(try await libraries.library(names[0]) == Library())
    #expect(try await libraries.edit(names[0], makes: true) { _ in 1 } == 1)
    #expect(try await libraries.edit(names[0], makes: false) { _ in 1 } == nil)
    #expect(try await store.usage().libraries == 0)
  }

  @Test func `that would be too large together are not paired`() async throws {
    let store = try Store.open(folder.url)
    let libraries = libraries(store)
    for (place, name) in names.prefix(2).enumerated() {
      try await libraries.edit(name, makes: true) { replica in
        for number in 0..<1_100 {
          let value = Text([UInt8](repeating: 65, count: 4_000))
          Self.write("k\(place)/\(number)", value, 1, to: &replica.library)
        }
      }
    }
    await #expect(throws: LibraryError.full) { try await libraries.pair(names[0], with: names[1]) }
    #expect(try await !libraries.areOne(names[0], names[1]))
    for name in names.prefix(2) {
      #expect(try await libraries.library(name).entries.count == 1_100)
    }
  }

  /// Stands in for two processes, which can't open one store at the same time.
  @Test func `changed by another process are read again, not overwritten`() async throws {
    let store = try Store.open(folder.url)
    let (one, other) = (libraries(store), libraries(store))
    func write(_ key: String, _ libraries: Libraries) async throws {
      try await libraries.edit(names[0], makes: true) { Self.write(key, "1", 1, to: &$0.library) }
    }
    try await write("a", one)
    try await write("b", other)
    try await write("c", one)
    #expect(try await one.library(names[0]).entries.map(\.key.text) == ["a", "b", "c"])
    #expect(try await libraries(store).library(names[0]).entries.map(\.key.text) == ["a", "b", "c"])
  }

  // MARK: Locking

  @Test func `don't block each other, and reading never blocks`() async throws {
    let store = try Store.open(folder.url)
    let libraries = libraries(store)
    let (a, b, c) = (names[0], names[1], names[2])
    for name in [a, b, c] {
      try await libraries.edit(name, makes: true) { Self.write("k", "1", 1, to: &$0.library) }
    }
    let (gate, entered) = (Gate(), Gate())
    async let blocked: Void? = libraries.edit(
      a,
      makes: true,
      waiting: { replica in
        entered.open()
        await gate.wait()
        Self.write("k", "2", 2, to: &replica.library)
      }
    )
    await entered.wait()
    try await libraries.edit(b, makes: true) { Self.write("k", "3", 3, to: &$0.library) }
    #expect(try await libraries.library(b).value(LibraryKey("k")) == "3")
    #expect(try await libraries.pair(c, with: b).value(LibraryKey("k")) == "3")
    #expect(try await libraries.library(a).value(LibraryKey("k")) == "1", "as it was before the edit")
    #expect(try await !libraries.areOne(a, b))
    gate.open()
    _ = try await blocked
    #expect(try await libraries.library(a).value(LibraryKey("k")) == "2")
  }

  @Test func `stay as they were if a step fails while it waits`() async throws {
    struct Failure: Error {}
    let store = try Store.open(folder.url)
    let libraries = libraries(store)
    await #expect(throws: Failure.self) {
      try await libraries.edit(
        names[0],
        makes: true,
        waiting: { replica in
          Self.write("k", "1", 1, to: &replica.library)
          throw Failure()
        }
      )
    }
    #expect(try await libraries.library(names[0]).entries.isEmpty)
    try await libraries.edit(names[0], makes: true) { Self.write("k", "2", 2, to: &$0.library) }
    #expect(try await libraries.library(names[0]).value(LibraryKey("k")) == "2")
  }

  @Test func `that are large can be paired`() async throws {
    let store = try Store.open(folder.url)
    let libraries = libraries(store)
    try await libraries.edit(names[0], makes: true) { replica in
      for number in 0...2_000 { Self.write("\(number)", "1", 1, to: &replica.library) }
    }
    try await libraries.edit(names[1], makes: true) { Self.write("k", "2", 2, to: &$0.library) }
    #expect(try await libraries.pair(names[0], with: names[1]).entries.count == 2_002)
    #expect(try await libraries.library(names[0]).value(LibraryKey("k")) == "2")
  }

  @Test func `can be paired both ways and edited at once without deadlock or loss`() async throws {
    let store = try Store.open(folder.url)
    let libraries = libraries(store)
    let names = self.names
    for round in 1...10 {
      let names = names.indices.map { LibraryName(key: [UInt8(round), UInt8($0)]) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for place in names.indices {
          for number in 0..<8 {
            group.addTask {
              try await libraries.edit(names[place], makes: true) {
                Self.write("\(place)/\(number)", "1", 1, to: &$0.library)
              }
            }
          }
          group.addTask { _ = try await libraries.pair(names[place], with: names[(place + 1) % names.count]) }
          group.addTask { _ = try await libraries.pair(names[(place + 1) % names.count], with: names[place]) }
        }
        try await group.waitForAll()
      }
      for name in names {
        let library = try await libraries.library(name)
        #expect(library.entries.count == 8 * names.count, "round \(round)")
        #expect(try await libraries.areOne(name, names[0]), "round \(round)")
      }
    }
    #expect(try await store.usage().libraries == 10)
  }

  // MARK: Expiry

  @Test func `are not created again by an edit that still has a removed one in memory`() async throws {
    let store = try Store.open(folder.url)
    let libraries = libraries(store)
    try await libraries.edit(names[0], makes: true) { Self.write("a", "1", 1, to: &$0.library) }
    // Not through `libraries`, which would forget it: an edit may run at the same time.
    for day in 1...3 {
      _ = try await store.libraries.expire(idleDays: 1, unusedDays: 1, at: Self.date + Double(day) * 86_400)
    }
    #expect(
      try await libraries.edit(names[0], makes: false) { Self.write("b", "1", 2, to: &$0.library) } == nil
    )
    #expect(try await libraries.storedLibrary(names[0]) == nil)
    try await libraries.edit(names[0], makes: true) { Self.write("c", "1", 3, to: &$0.library) }
    #expect(try await libraries.library(names[0]).entries.map(\.key.text) == ["c"])
  }

  // MARK: Crashes

  /// The child process really kills itself with SIGKILL at a random time; no edit may be stored partly.
  ///
  /// The time counts from the first edit, so that each round stores something even on a busy machine.
  @Test func `keep every acknowledged change when the process is killed`() async throws {
    var random = SeededGenerator(seed: 0x11B)
    try await Store.open(folder.url).closeOnNewThread()
    var before = 0
    for round in 1...4 {
      let path = folder.url.path
      let delay = UInt32.random(in: 0...60_000, using: &random)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, delay = delay as UInt32, before = before as Int] in
        let libraries = Libraries(store: try Store.open(URL(filePath: path))) { Date() }
        for number in (before + 1)... {
          try await libraries.edit(LibraryName(key: [1]), makes: true) { replica in
            let editTime = replica.editTime(at: 1_000)
            _ = try? replica.library.set(
              LibraryKey(Text(string: "a\(number)")),
              to: "1",
              timestamp: editTime.timestamp
            )
            _ = try? replica.library.set(
              LibraryKey(Text(string: "b\(number)")),
              to: "1",
              timestamp: editTime.timestamp
            )
          }
          try Data("\(number)".utf8).write(to: URL(filePath: path + "/acknowledged"), options: .atomic)
          if number == before + 1 { killThisProcess(after: delay) }
        }
      }
      let acknowledged = try? String(contentsOf: folder.path("acknowledged"), encoding: .utf8)
      let store = try Store.open(folder.url)
      let library = try await libraries(store).library(LibraryName(key: [1]))
      let count = library.entries.count
      #expect(count.isMultiple(of: 2), "round \(round)")
      #expect(count / 2 >= acknowledged.flatMap { Int($0) } ?? 0, "round \(round)")
      #expect(count / 2 >= before, "round \(round)")
      before = count / 2
      try await store.closeOnNewThread()
    }
    #expect(before > 0, "no round stored anything")
  }
}

/// The expected contents of all libraries.
struct LibraryModel {
  var homes: [LibraryName: LibraryName] = [:]
  var libraries: [LibraryName: Library] = [:]

  func home(_ name: LibraryName) -> LibraryName { homes[name] ?? name }

  mutating func pair(_ name: LibraryName, with other: LibraryName) throws {
    let (leaving, home) = (home(name), home(other))
    guard leaving != home else {
      // A library that is shared with a new device is there, even if it is empty.
      libraries[home] = libraries[home] ?? Library()
      return
    }
    var merged = libraries[home] ?? Library()
    if let left = libraries.removeValue(forKey: leaving) { try merged.merge(left.changes(since: nil)) }
    libraries[home] = merged
    homes = homes.mapValues { $0 == leaving ? home : $0 }
    homes[leaving] = home
  }
}
