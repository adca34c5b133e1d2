// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore
import TestSupport
import Testing

@testable import LongboxStore

@Suite("The space of libraries") struct LibraryQuotaTests {
  private static let day: TimeInterval = 86_400
  private let folder = TemporaryFolder()
  private let start = Date(timeIntervalSince1970: 1_800_000_000)
  private let a = LibraryName(key: [1])
  private let b = LibraryName(key: [2])

  /// A library of about `size` bytes, and more for each further edit.
  private func fill(_ replica: inout Replica, bytes size: Int) throws {
    let value = Text([UInt8](repeating: 120, count: 1000))
    for _ in 0..<(size / 1000) {
      let number = replica.library.entries.count
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
    try await store.libraries.save(replica, changedSince: 0, as: a, within: quota, at: start)
    let before = replica.library.sequence
    var larger = replica
    try fill(&larger, bytes: 20_000)
    await #expect(throws: StoreError.quota(.newLibrary)) {
      try await store.libraries.save(larger, changedSince: before, as: self.a, within: quota, at: self.start)
    }
    #expect(try await store.libraries.library(a) == .library(replica), "nothing was changed")
    try await store.libraries.save(larger, changedSince: before, as: a, within: quota, at: start + Self.day)
    #expect(try await store.libraries.library(a) == .library(larger))
  }

  @Test func `is checked before anything is written`() async throws {
    let store = try Store.open(folder.url)
    let quota = LibraryQuota(newLibrary: 10_000, allLibraries: .max, freeSpace: 0)
    var replica = Replica(device: 1)
    try fill(&replica, bytes: 5_000)
    try await store.libraries.save(replica, changedSince: 0, as: a, within: quota, at: start)
    let before = replica.library.sequence
    try fill(&replica, bytes: 20_000)
    let larger = replica
    try await DatabaseQueue(path: folder.path("longbox.sqlite").path).write { database in
      for table in ["library", "library_register"] {
        for event in ["INSERT", "UPDATE", "DELETE"] {
          let fail = "BEGIN SELECT RAISE(ABORT, 'a row is written'); END"
          try database.execute(sql: "CREATE TRIGGER no\(event)\(table) BEFORE \(event) ON \(table) \(fail)")
        }
      }
    }
    await #expect(throws: StoreError.quota(.newLibrary)) {
      try await store.libraries.save(larger, changedSince: before, as: self.a, within: quota, at: self.start)
    }
    await #expect(throws: StoreError.quota(.newLibrary)) {
      try await store.libraries.save(larger, changedSince: 0, as: self.b, within: quota, at: self.start)
    }
  }

  @Test(arguments: Engine.tested)
  func `is bounded for all new libraries together, and at twice that for those in use`(engine: Engine)
    async throws
  {
    let store = try await engine.open(folder.url)
    let quota = LibraryQuota(newLibrary: .max, allLibraries: 20_000, freeSpace: 0)
    var used = Replica(device: 1)
    try fill(&used, bytes: 15_000)
    try await store.libraries.save(used, changedSince: 0, as: a, within: quota, at: start)
    var new = Replica(device: 2)
    try fill(&new, bytes: 10_000)
    let tooMuch = new
    await #expect(throws: StoreError.quota(.allLibraries)) {
      try await store.libraries.save(tooMuch, changedSince: 0, as: self.b, within: quota, at: self.start)
    }
    let before = used.library.sequence
    try fill(&used, bytes: 15_000)
    try await store.libraries.save(used, changedSince: before, as: a, within: quota, at: start + Self.day)
    let stored = used
    try fill(&used, bytes: 15_000)
    let larger = used
    await #expect(throws: StoreError.quota(.allLibraries)) {
      try await store.libraries.save(
        larger,
        changedSince: stored.library.sequence,
        as: self.a,
        within: quota,
        at: self.start + Self.day
      )
    }
    #expect(try await store.libraries.library(a) == .library(stored), "nothing was changed")
  }

  @Test(arguments: Engine.tested)
  func `stays small for a new library that is paired with another new one`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let quota = LibraryQuota(newLibrary: 5_000, allLibraries: 50_000, freeSpace: 0)
    var home = Replica(device: 1)
    try fill(&home, bytes: 3_000)
    var left = Replica(device: 2)
    try fill(&left, bytes: 3_000)
    #expect(try await store.libraries.save(home, changedSince: 0, as: a, within: quota, at: start))
    #expect(try await store.libraries.save(left, changedSince: 0, as: b, within: quota, at: start))
    let unpaired = home
    try fill(&home, bytes: 3_000)
    // A pairing brings no more than both libraries have, so that is taken even if it is more than a new one may have.
    #expect(
      try await store.libraries.pair(
        b,
        holding: left,
        with: a,
        merged: home,
        changedSince: unpaired.library.sequence,
        within: quota,
        at: start
      )
    )
    let paired = home
    try fill(&home, bytes: 1_000)
    let larger = home
    await #expect(throws: StoreError.quota(.newLibrary)) {
      try await store.libraries.save(
        larger,
        changedSince: paired.library.sequence,
        as: self.a,
        within: quota,
        at: self.start + 60
      )
    }
    #expect(try await store.libraries.library(a) == .library(paired), "nothing was changed")
    #expect(
      try await !store.libraries.save(
        larger,
        changedSince: paired.library.sequence,
        as: a,
        within: quota,
        at: start + Self.day
      )
    )
  }

  @Test(arguments: Engine.tested)
  func `is not taken by a pairing, and a new library gets the age of the one that is merged into it`(
    engine: Engine
  ) async throws {
    let store = try await engine.open(folder.url)
    let quota = LibraryQuota(newLibrary: 5_000, allLibraries: 10_000, freeSpace: 0)
    var old = Replica(device: 1)
    try fill(&old, bytes: 4_000)
    try await store.libraries.save(old, changedSince: 0, as: b, within: quota, at: start)
    let before = old.library.sequence
    try fill(&old, bytes: 10_000)
    let today = start + Self.day
    try await store.libraries.save(old, changedSince: before, as: b, within: quota, at: today)
    // All libraries are larger than new ones may make them.
    var home = Replica(device: 2)
    try home.library.merge(old.library.changes(since: nil))
    try await store.libraries.pair(
      b,
      holding: old,
      with: a,
      merged: home,
      changedSince: 0,
      within: quota,
      at: today
    )
    let paired = home.library.sequence
    try fill(&home, bytes: 2_000)
    try await store.libraries.save(home, changedSince: paired, as: a, within: quota, at: today)
    #expect(try await store.usage().libraryBytes == home.library.size)
  }

  @Test(arguments: Engine.tested)
  func `is limited for a signed-in reader as for established ones`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let quota = LibraryQuota(newLibrary: 5_000, allLibraries: 10_000, freeSpace: 0)
    var replica = Replica(device: 1)
    try fill(&replica, bytes: 12_000)
    try await store.libraries.save(
      replica,
      changedSince: 0,
      as: a,
      within: quota,
      isSignedIn: true,
      at: start
    )
    let before = replica.library.sequence
    try fill(&replica, bytes: 2_000)
    // A page that notes the place doesn't say who signed in.
    try await store.libraries.save(replica, changedSince: before, as: a, within: quota, at: start)
    #expect(try await store.libraries.library(a) == .library(replica))
    let stored = replica.library.sequence
    try fill(&replica, bytes: 10_000)
    let larger = replica
    await #expect(throws: StoreError.quota(.allLibraries)) {
      try await store.libraries.save(
        larger,
        changedSince: stored,
        as: self.a,
        within: quota,
        isSignedIn: true,
        at: self.start
      )
    }
  }

  @Test func `is not taken by new libraries when the disk is nearly full`() async throws {
    let store = try Store.open(folder.url)
    let quota = LibraryQuota(newLibrary: .max, allLibraries: .max, freeSpace: .max)
    var replica = Replica(device: 1)
    try fill(&replica, bytes: 1_000)
    let new = replica
    await #expect(throws: StoreError.quota(.freeSpace)) {
      try await store.libraries.save(new, changedSince: 0, as: self.a, within: quota, at: self.start)
    }
    try await store.libraries.save(replica, changedSince: 0, as: a, at: start)
    let before = replica.library.sequence
    try fill(&replica, bytes: 1_000)
    try await store.libraries.save(replica, changedSince: before, as: a, within: quota, at: start + Self.day)
  }

  @Test func `is not taken by a library that was paired today when the disk is nearly full`() async throws {
    let store = try Store.open(folder.url)
    let quota = LibraryQuota(newLibrary: .max, allLibraries: .max, freeSpace: .max)
    var replica = Replica(device: 1)
    try fill(&replica, bytes: 1_000)
    try await store.libraries.pair(b, holding: nil, with: a, merged: replica, changedSince: 0, at: start)
    let before = replica.library.sequence
    try fill(&replica, bytes: 1_000)
    let larger = replica
    await #expect(throws: StoreError.quota(.freeSpace)) {
      try await store.libraries.save(larger, changedSince: before, as: self.a, within: quota, at: self.start)
    }
    try await store.libraries.save(larger, changedSince: before, as: a, within: quota, at: start + Self.day)
  }

  @Test(arguments: Engine.tested)
  func `is freed by unused libraries, counted in days on which the server ran`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    var replica = Replica(device: 1)
    try fill(&replica, bytes: 1_000)
    try await store.libraries.save(replica, changedSince: 0, as: a, at: start)
    try await store.libraries.save(replica, changedSince: 0, as: b, at: start)
    let before = replica.library.sequence
    try fill(&replica, bytes: 1_000)
    try await store.libraries.save(replica, changedSince: before, as: b, at: start + Self.day)
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
    try await store.libraries.expire(idleDays: 4, unusedDays: 2, at: date)
  }

  @Test(arguments: Engine.tested)
  func `is kept by a library with a feed or subscription if it was used on two days`(engine: Engine)
    async throws
  {
    let store = try await engine.open(folder.url)
    // A reader who came back, and one who came once.
    for (number, name) in [a, b].enumerated() {
      var replica = Replica(device: 1)
      try fill(&replica, bytes: 1_000)
      try await store.libraries.save(
        replica,
        changedSince: 0,
        as: name,
        at: start
      )
      try await store.feeds.saveFavoritesFeed(feed(number, of: name))
      guard name == a else { continue }
      let before = replica.library.sequence
      try fill(&replica, bytes: 1_000)
      try await store.libraries.save(replica, changedSince: before, as: name, at: start + Self.day)
    }
    var removed: [[LibraryName]] = []
    for day in 1...20 { removed.append(try await expired(store, start + Double(day) * Self.day)) }
    #expect(removed.firstIndex(of: [b]) == 2, "after two days without a visit")
    #expect(removed.joined().count == 1)
    #expect(try await store.usage().libraries == 1)
    #expect(try await store.feeds.favoritesFeed(feed(0, of: a).token) != nil)
    #expect(try await store.feeds.favoritesFeed(feed(1, of: b).token) == nil, "it ended with its library")
  }

  @Test(arguments: Engine.tested)
  func `is not kept by feeds of libraries that do not exist`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    var replica = Replica(device: 1)
    try fill(&replica, bytes: 1_000)
    try await store.feeds.saveFavoritesFeed(feed(0, of: a))
    try await store.feeds.saveFavoritesFeed(feed(1, of: b))
    try await store.libraries.pair(
      a,
      holding: nil,
      with: LibraryName(key: [3]),
      merged: replica,
      changedSince: 0,
      at: start
    )
    #expect(try await expired(store, start) == [])
    #expect(
      try await store.feeds.favoritesFeed(feed(0, of: a).token) != nil,
      "its library is the one it was paired with"
    )
    #expect(try await store.feeds.favoritesFeed(feed(1, of: b).token) == nil)
  }

  private func feed(_ number: Int, of library: LibraryName) -> FavoritesFeed {
    FavoritesFeed(token: "abcdefghijklmnopqrst-\(number)", library: library, createdAt: start)
  }
}
