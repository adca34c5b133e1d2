// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import TestSupport
import Testing

@testable import LongboxStore

@Suite struct `The space of libraries` {
  private static let day: TimeInterval = 86_400
  private let folder = TemporaryFolder()
  private let start = Date(timeIntervalSince1970: 1_800_000_000)
  private let a = LibraryName(key: [1])
  private let b = LibraryName(key: [2])

  /// A library of about `size` bytes, and more for each further edit.
  private func fill(_ replica: inout Replica, bytes size: Int) throws {
    let value = Text([UInt8](repeating: 120, count: 1000))
    for _ in 0..<(size / 1000) {
      let number = Int(replica.library.sequence)
      try replica.library.save(
        value,
        kind: "test",
        name: Text(decimal: number),
        at: replica.editTime(at: 1_000)
      )
    }
  }

  @Test(arguments: Engine.tested)
  func `is small for a new library, and grows when its reader comes back`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let quota = LibraryQuota(newLibrary: 10_000, allLibraries: .max, freeSpace: 0)
    var replica = Replica(device: 1)
    try fill(&replica, bytes: 5_000)
    try await store.saveLibrary(replica, changedSince: 0, as: a, within: quota, at: start)
    let before = replica.library.sequence
    var larger = replica
    try fill(&larger, bytes: 20_000)
    await #expect(throws: StoreError.quota(.newLibrary)) {
      try await store.saveLibrary(larger, changedSince: before, as: self.a, within: quota, at: self.start)
    }
    #expect(try await store.library(a) == .library(replica), "nothing was changed")
    try await store.saveLibrary(larger, changedSince: before, as: a, within: quota, at: start + Self.day)
    #expect(try await store.library(a) == .library(larger))
  }

  @Test(arguments: Engine.tested)
  func `is bounded for all new libraries together, and not for those in use`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let quota = LibraryQuota(newLibrary: .max, allLibraries: 20_000, freeSpace: 0)
    var used = Replica(device: 1)
    try fill(&used, bytes: 15_000)
    try await store.saveLibrary(used, changedSince: 0, as: a, within: quota, at: start)
    var new = Replica(device: 2)
    try fill(&new, bytes: 10_000)
    let tooMuch = new
    await #expect(throws: StoreError.quota(.allLibraries)) {
      try await store.saveLibrary(tooMuch, changedSince: 0, as: self.b, within: quota, at: self.start)
    }
    let before = used.library.sequence
    try fill(&used, bytes: 15_000)
    try await store.saveLibrary(used, changedSince: before, as: a, within: quota, at: start + Self.day)
  }

  @Test func `is not taken by new libraries when the disk is nearly full`() async throws {
    let store = try Store.open(folder.url)
    let quota = LibraryQuota(newLibrary: .max, allLibraries: .max, freeSpace: .max)
    var replica = Replica(device: 1)
    try fill(&replica, bytes: 1_000)
    let new = replica
    await #expect(throws: StoreError.quota(.freeSpace)) {
      try await store.saveLibrary(new, changedSince: 0, as: self.a, within: quota, at: self.start)
    }
    try await store.saveLibrary(replica, changedSince: 0, as: a, at: start)
    let before = replica.library.sequence
    try fill(&replica, bytes: 1_000)
    try await store.saveLibrary(replica, changedSince: before, as: a, within: quota, at: start + Self.day)
  }

  @Test func `is freed by unused libraries, counted in days on which the server ran`()
    async throws
  {
    let store = try Store.open(folder.url)
    var replica = Replica(device: 1)
    try fill(&replica, bytes: 1_000)
    try await store.saveLibrary(replica, changedSince: 0, as: a, at: start)
    try await store.saveLibrary(replica, changedSince: 0, as: b, at: start)
    let before = replica.library.sequence
    try fill(&replica, bytes: 1_000)
    try await store.saveLibrary(replica, changedSince: before, as: b, at: start + Self.day)
    // A clock that jumps by years counts as one day.
    #expect(try await expired(store, start + 5_000 * Self.day) == [])
    #expect(try await expired(store, start + 5_000 * Self.day) == [], "once a day")
    #expect(try await expired(store, start + Self.day) == [])
    #expect(try await expired(store, start + 2 * Self.day) == [a], "it was never used again")
    #expect(try await expired(store, start + 3 * Self.day) == [])
    #expect(try await expired(store, start + 4 * Self.day) == [b])
    #expect(try await store.usage().libraries == 0)
    #expect(try await store.audit().databaseFaults.isEmpty)
  }

  private func expired(_ store: Store, _ date: Date) async throws -> [LibraryName] {
    try await store.expireLibraries(idleDays: 4, unusedDays: 2, at: date)
  }

  @Test(arguments: Engine.tested)
  func `is kept by a library with a feed`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    var replica = Replica(device: 1)
    try fill(&replica, bytes: 1_000)
    try await store.saveLibrary(replica, changedSince: 0, as: a, at: start)
    try await store.saveFavoritesFeed(
      FavoritesFeed(token: "abcdefghijklmnopqrstuv", library: a, createdAt: start)
    )
    for day in 1...20 { #expect(try await expired(store, start + Double(day) * Self.day) == []) }
    #expect(try await store.usage().libraries == 1)
  }
}
