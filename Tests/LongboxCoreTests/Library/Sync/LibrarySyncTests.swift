// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxCore

struct LibrarySyncTests {
  @Test func `carries a device's edits to another`() throws {
    var world = SyncWorld(devices: 2)
    let comic = try LibrarySamples.comic(353)
    try world.edit(0) { try $0.addFavorite(comic, at: $1) }
    #expect(world.peers[0].replica.hasUnsentEdits)
    #expect(try world.sync(0) == 1)
    #expect(!world.peers[0].replica.hasUnsentEdits)
    #expect(try world.sync(1) == 1)
    #expect(world.peers[1].replica.library.isFavorite(comic))
    #expect(!world.peers[1].replica.hasUnsentEdits)
    #expect(world.isSettled)
  }

  @Test func `sends only what the other side lacks`() throws {
    var world = SyncWorld(devices: 2)
    for value in 1...50 {
      let comic = try LibrarySamples.comic(value)
      try world.edit(0) { try $0.addFavorite(comic, at: $1) }
    }
    try world.syncAll()
    let comic = try LibrarySamples.comic(353)
    try world.edit(0) { try $0.addFavorite(comic, at: $1) }
    let request = world.request(from: 0)
    #expect(try SyncRequest(decoding: request).changes.entries.count == 1)
    let reply = try world.answer(request)
    guard case .merged(let merged) = try SyncReply(decoding: reply).outcome else {
      Issue.record("rejected")
      return
    }
    #expect(merged.changes.entries.isEmpty, "a device needs no echo of its own changes")
    #expect(try world.receive(reply, on: 0) == .settled)
    let pull = world.request(from: 1)
    #expect(try SyncRequest(decoding: pull).changes.entries.isEmpty)
    guard case .merged(let pulled) = try SyncReply(decoding: world.answer(pull)).outcome else {
      Issue.record("rejected")
      return
    }
    #expect(pulled.changes.entries.map(\.key.text) == ["favorite/comic/353"])
  }

  @Test func `loses nothing when a reply is lost, repeated or late`() throws {
    var world = SyncWorld(devices: 1)
    try world.edit(0) { try $0.setPlace(.first, at: $1) }
    let lost = try world.answer(world.request(from: 0))
    #expect(world.peers[0].replica.hasUnsentEdits)
    let comic = try LibrarySamples.comic(2)
    try world.edit(0) { try $0.setPlace(comic, at: $1) }
    let request = world.request(from: 0)
    let reply = try world.answer(request)
    #expect(try world.receive(lost, on: 0) == .ignored)
    #expect(world.peers[0].replica.hasUnsentEdits)
    _ = try world.answer(request)
    #expect(try world.receive(reply, on: 0) == .settled)
    #expect(try world.receive(reply, on: 0) == .ignored)
    #expect(world.server.place?.comic == comic)
    #expect(world.isSettled)
  }

  @Test func `keeps an edit that is made during a request`() throws {
    var world = SyncWorld(devices: 1)
    let request = world.request(from: 0)
    try world.edit(0) { try $0.setPlace(.first, at: $1) }
    #expect(try world.receive(world.answer(request), on: 0) == .again)
    #expect(world.peers[0].replica.hasUnsentEdits)
    try world.sync(0)
    #expect(world.server.place?.comic == .first)
  }

  /// The restored server keeps its epoch and has counted beyond what the devices have seen.
  @Test(arguments: [true, false])
  func `detects that the server was restored`(isRenamed: Bool) throws {
    var world = SyncWorld(devices: 2)
    try world.edit(0) { try $0.addFavorite(.first, at: $1) }
    try world.syncAll()
    let backup = world.server
    for value in 2...5 {
      let comic = try LibrarySamples.comic(value)
      try world.edit(0) { try $0.addFavorite(comic, at: $1) }
      try world.sync(0)
    }
    world.server = backup
    if isRenamed { world.epoch += 1 }
    for value in 10...29 {
      let comic = try LibrarySamples.comic(value)
      try world.edit(1) { try $0.addFavorite(comic, at: $1) }
      try world.sync(1)
    }
    #expect(world.server.favorites.count == 21)
    #expect(try world.sync(0) == 2)
    #expect(world.server.favorites.count == 25)
    try world.sync(1)
    #expect(world.isSettled)
    #expect(try world.sync(0) == 1)
  }

  @Test func `starts over with an empty server`() throws {
    var world = SyncWorld(devices: 2)
    try world.edit(0) { try $0.addFavorite(.first, at: $1) }
    try world.syncAll()
    world.server = Library()
    try world.syncAll()
    #expect(world.server.isFavorite(.first))
    #expect(world.isSettled)
  }

  @Test func `changes neither side when together they exceed the limit`() throws {
    var world = SyncWorld(devices: 1)
    for index in 0..<2 {
      var entries: [LibraryEntry] = []
      for number in 0..<60_000 {
        let key = try LibraryKey(Text(index * 60_000 + number, digits: 7))
        entries.append(try LibraryEntry(key: key, value: nil, timestamp: Timestamp(time: 1, device: 9)))
      }
      let half = try Library(entries: entries, sequences: entries.map { _ in 0 }, sequence: 0)
      if index == 0 { world.server = half } else { world.peers[0].replica.library = half }
    }
    let before = (world.server, world.peers[0].replica.library)
    let request = world.request(from: 0)
    #expect(throws: LibraryError.full) { try world.answer(request) }
    #expect(world.server == before.0 && world.peers[0].replica.library == before.1)
  }
}

struct WrongClockTests {
  static let days = Int64(LibrarySamples.day)

  @Test func `that is ahead is corrected, and keeps the order of its edits`() throws {
    var world = SyncWorld(devices: 2)
    let comic = try LibrarySamples.comic(353)
    world.peers[0].skew = 5 * Self.days
    try world.edit(0) { try $0.addFavorite(comic, at: $1) }
    try world.edit(0) { try $0.set(.appearance, to: .dark, at: $1) }
    try world.edit(0) { try $0.set(.appearance, to: .light, at: $1) }
    #expect(try world.sync(0) == 2)
    #expect(world.server.latest.time <= world.now + LibraryClock.tolerance)
    #expect(world.peers[0].replica.clock.offset == -5 * Self.days)
    #expect(world.server.isFavorite(comic))
    #expect(world.server.value(of: .appearance) == .light)
    try world.sync(1)
    try world.edit(1) { try $0.set(.appearance, to: .dark, at: $1) }
    try world.sync(1)
    try world.edit(0) { try $0.addFavorite(.first, at: $1) }
    #expect(try world.sync(0) == 1, "the corrected clock is no longer rejected")
    #expect(world.peers[0].replica.library.value(of: .appearance) == .dark)
  }

  @Test func `that is ahead does not beat later edits of other devices`() throws {
    var world = SyncWorld(devices: 2)
    world.peers[0].skew = 5 * Self.days
    try world.edit(0) { try $0.set(.appearance, to: .dark, at: $1) }
    world.now += LibrarySamples.day
    try world.edit(1) { try $0.set(.appearance, to: .light, at: $1) }
    try world.sync(1)
    world.now += LibrarySamples.day
    try world.sync(0)
    try world.sync(1)
    #expect(world.server.value(of: .appearance) == .light)
    #expect(world.isSettled)
  }

  @Test func `that was ahead and is corrected does not hold back its device`() throws {
    var world = SyncWorld(devices: 2)
    world.peers[0].skew = 5 * Self.days
    try world.edit(0) { try $0.set(.appearance, to: .dark, at: $1) }
    world.peers[0].skew = 0
    world.now += LibrarySamples.day
    try world.edit(0) { try $0.set(.appearance, to: .light, at: $1) }
    try world.sync(0)
    #expect(world.server.value(of: .appearance) == .light)
    #expect(world.server.latest.time <= world.now)
    #expect(world.peers[0].replica.clock.offset == 0)
  }

  @Test func `that is behind still beats the edits it has seen`() throws {
    var world = SyncWorld(devices: 2)
    try world.edit(1) { try $0.set(.appearance, to: .dark, at: $1) }
    try world.syncAll()
    world.peers[0].skew = -20 * Self.days
    try world.edit(0) { try $0.set(.appearance, to: .light, at: $1) }
    try world.syncAll()
    #expect(world.peers[1].replica.library.value(of: .appearance) == .light)
    #expect(world.peers[0].replica.clock.offset == 20 * Self.days)
  }

  @Test func `of the server does not stop syncing`() throws {
    var world = SyncWorld(devices: 2)
    try world.edit(0) { try $0.set(.appearance, to: .dark, at: $1) }
    try world.syncAll()
    world.serverSkew = -Int64(LibrarySamples.start)
    try world.edit(1) { try $0.set(.appearance, to: .light, at: $1) }
    try world.edit(1) { try $0.addFavorite(.first, at: $1) }
    world.now += 3 * LibrarySamples.day
    try world.edit(0) { try $0.setPlace(.first, at: $1) }
    try world.syncAll()
    #expect(world.isSettled)
    #expect(world.server.value(of: .appearance) == .light)
    #expect(world.server.isFavorite(.first) && world.server.place != nil)
    world.serverSkew = 0
    try world.edit(0) { try $0.set(.appearance, to: .system, at: $1) }
    try world.syncAll()
    #expect(world.isSettled)
    #expect(world.peers[1].replica.library.value(of: .appearance) == .system)
  }

  /// The first timestamp is ahead but within the tolerance, so it stays; later edits must stay after it.
  @Test func `has its timestamps moved back in order, after those within the tolerance`() throws {
    var library = Library()
    let (now, day) = (LibrarySamples.start, LibrarySamples.day)
    let times = [("a", now + 60_000), ("c", now + day), ("b", now + day + 5)] as [(Text, UInt64)]
    for (key, time) in times {
      try library.set(LibraryKey(key), to: "1", timestamp: Timestamp(time: time, device: 1))
    }
    let clock = LibraryClock(device: 2, offset: -Int64(day))
    library.reassignTimestamps(
      above: now + LibraryClock.tolerance,
      present: now,
      floor: .earliest,
      clock: clock
    )
    let timestamps = try times.map { try library.entry(LibraryKey($0.0))?.timestamp }
    #expect(timestamps[0] == Timestamp(time: now + 60_000, device: 1))
    #expect(timestamps[1] == Timestamp(time: now + 60_000, counter: 1, device: 2))
    #expect(timestamps[2] == Timestamp(time: now + 60_000, counter: 2, device: 2))
    #expect(library.latest == timestamps[2])
    #expect(library.changes(since: 3).entries.map(\.key.text) == ["b", "c"])
  }

  @Test func `can't push the server's copy into the future`() throws {
    var server = Library()
    let now = LibrarySamples.start
    for (ahead, isTaken) in [(LibraryClock.tolerance + 1, false), (LibraryClock.tolerance, true)] {
      var changes = Library()
      try changes.set(LibraryKey("a"), to: "1", timestamp: Timestamp(time: now + ahead, device: 1))
      let request = SyncRequest(nonce: 1, epoch: 0, since: 0, changes: changes)
      let reply = try server.answer(request, epoch: 1, at: now)
      let isRejected = reply.outcome == .tooFarAhead(limit: now + LibraryClock.tolerance)
      #expect(isRejected == !isTaken)
      #expect(server.entries.isEmpty == !isTaken)
    }
  }
}
