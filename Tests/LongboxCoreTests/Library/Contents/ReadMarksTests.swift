// Longbox
// SPDX-License-Identifier: MIT

import Testing
import TestSupport

@testable import LongboxCore

/// Read marks without compression: each comic has its own cell, and a mark over a range writes all of them.
private struct NaiveMarks {
  struct Cell: Equatable {
    var isRead: Bool
    var written: Timestamp
  }

  var cells: [Int: Cell] = [:]

  mutating func set(_ isRead: Bool, _ numbers: ClosedRange<Int>, _ timestamp: Timestamp) {
    for number in numbers { cells[number] = Cell(isRead: isRead, written: timestamp) }
  }

  mutating func merge(_ other: NaiveMarks) {
    cells.merge(other.cells) { $0.written > $1.written ? $0 : $1 }
  }

  func read(upTo last: Int) -> [Int] { (1...last).filter { cells[$0]?.isRead ?? false } }
}

struct ReadMarksTests {
  private static let last = 12

  private func read(_ library: Library) throws -> [Int] {
    let marks = library.readMarks
    return try (1...Self.last).filter { marks.isRead(try LibrarySamples.comic($0)) }
  }

  @Test func `take one entry for everything older`() throws {
    var replica = Replica(device: 1)
    let comic = try LibrarySamples.comic(3280)
    try replica.edit(at: 1) { try $0.setRead(true, upTo: comic, at: $1) }
    #expect(replica.library.entries.map(\.key.text) == ["read/upto/3280"])
    #expect(replica.library.readMarks.isRead(.first))
    #expect(replica.library.readMarks.isRead(comic))
    #expect(!replica.library.readMarks.isRead(try LibrarySamples.comic(3281)))
  }

  @Test func `name the greatest read comic, beyond those that are unread again`() throws {
    var replica = Replica(device: 1)
    func greatest() -> Int? { replica.library.readMarks.greatestRead?.value }
    #expect(greatest() == nil)
    try replica.edit(at: 1) { try $0.setRead(true, upTo: LibrarySamples.comic(405), at: $1) }
    try replica.edit(at: 2) { try $0.setRead(false, comic: LibrarySamples.comic(405), at: $1) }
    #expect(greatest() == 403)
    try replica.edit(at: 3) { try $0.setRead(true, comic: LibrarySamples.comic(700), at: $1) }
    #expect(greatest() == 700)
    try replica.edit(at: 4) { try $0.setRead(false, upTo: LibrarySamples.comic(999_999), at: $1) }
    #expect(greatest() == nil)
    try replica.edit(at: 5) { try $0.setRead(true, comic: LibrarySamples.comic(3), at: $1) }
    #expect(greatest() == 3)
  }

  @Test func `write nothing when a read comic is viewed`() throws {
    var replica = Replica(device: 1)
    try replica.edit(at: 1) { try $0.setRead(true, upTo: LibrarySamples.comic(10), at: $1) }
    let before = replica.library
    try replica.edit(at: 2) { try $0.markViewed(LibrarySamples.comic(10), at: $1) }
    #expect(replica.library == before)
    try replica.edit(at: 3) { try $0.markViewed(LibrarySamples.comic(11), at: $1) }
    #expect(try read(replica.library) == Array(1...11))
  }

  @Test func `are restored when a later range is undone`() throws {
    var replica = Replica(device: 1)
    let ten = try LibrarySamples.comic(10)
    let three = try LibrarySamples.comic(3)
    try replica.edit(at: 1) { try $0.setRead(true, upTo: ten, at: $1) }
    try replica.edit(at: 2) { try $0.setRead(false, comic: three, at: $1) }
    let before = try read(replica.library)
    #expect(before == [1, 2, 4, 5, 6, 7, 8, 9, 10])
    let undo = try replica.edit(at: 3) { try $0.setRead(true, upTo: ten, at: $1) }
    #expect(try read(replica.library) == Array(1...10))
    try replica.edit(at: 4) { _ = try $0.apply(undo, at: $1) }
    #expect(try read(replica.library) == before)
  }

  @Test(
    arguments: [[], [2], [1, 0], [1, 5, 0, 1, 2], [0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]]
      as [[UInt8]]
  )
  func `with invalid bytes are ignored`(bytes: [UInt8]) throws {
    var library = Library()
    for prefix in ["read/comic/1", "read/upto/2"] as [Text] {
      try library.set(LibraryKey(prefix), to: Text(bytes), timestamp: Timestamp(time: 1, device: 1))
    }
    #expect(try read(library).isEmpty)
  }

  /// Both devices edit independently, then merge.
  @Test(arguments: 0..<500 as Range<UInt64>)
  func `of two devices merge as in a naive model`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var replicas = [Replica(device: 1), Replica(device: 2)]
    var models = [NaiveMarks(), NaiveMarks()]
    for _ in 0..<3 {
      for time in 1...8 as ClosedRange<UInt64> {
        let device = Int.random(in: 0...1, using: &random)
        let now = time + UInt64.random(in: 0...20, using: &random)
        let value = Int.random(in: 1...Self.last, using: &random)
        let comic = try LibrarySamples.comic(value)
        let isRead = Bool.random(using: &random)
        let isRange = Bool.random(using: &random)
        let timestamp = replicas[device].editTime(at: now).timestamp
        models[device].set(isRead, isRange ? 1...value : value...value, timestamp)
        try replicas[device].edit(at: now) { library, editTime in
          if isRange {
            try library.setRead(isRead, upTo: comic, at: editTime)
          } else {
            try library.setRead(isRead, comic: comic, at: editTime)
          }
        }
        let expected = models[device].read(upTo: Self.last)
        #expect(try read(replicas[device].library) == expected, "seed \(seed)")
        let greatest = replicas[device].library.readMarks.greatestRead
        #expect(greatest?.value == expected.last, "seed \(seed)")
      }
      let other = replicas[1].library
      try replicas[1].library.merge(replicas[0].library)
      try replicas[0].library.merge(other)
      models[0].merge(models[1])
      models[1] = models[0]
      for replica in replicas {
        #expect(try read(replica.library) == models[0].read(upTo: Self.last), "seed \(seed)")
      }
    }
  }

  /// Undoes the edits of one device in reverse order.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `are undone as in a naive model`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var replica = Replica(device: 1)
    var model = NaiveMarks()
    var history: [(NaiveMarks, Undo)] = []
    for now in 1...40 as ClosedRange<UInt64> {
      let value = Int.random(in: 1...Self.last, using: &random)
      let comic = try LibrarySamples.comic(value)
      let isRead = Bool.random(using: &random)
      let before = model
      let timestamp = replica.editTime(at: now).timestamp
      switch Int.random(in: 0...3, using: &random) {
      case 0:
        model.set(isRead, 1...value, timestamp)
        history.append((before, try replica.edit(at: now) { try $0.setRead(isRead, upTo: comic, at: $1) }))
      case 1:
        model.set(isRead, value...value, timestamp)
        history.append((before, try replica.edit(at: now) { try $0.setRead(isRead, comic: comic, at: $1) }))
      default:
        guard let (earlier, undo) = history.popLast() else { continue }
        model = earlier
        try replica.edit(at: now) { _ = try $0.apply(undo, at: $1) }
      }
      let expected = model.read(upTo: Self.last)
      #expect(try read(replica.library) == expected, "seed \(seed), step \(now)")
      #expect(replica.library.readMarks.greatestRead?.value == expected.last, "seed \(seed), step \(now)")
    }
  }

  @Test func `of every comic one by one take few bytes`() throws {
    var replica = Replica(device: UInt64.max)
    for value in 1...3282 where value != 404 {
      let comic = try LibrarySamples.comic(value)
      try replica.edit(at: LibrarySamples.start + UInt64(value) * 60_000) { try $0.markViewed(comic, at: $1) }
    }
    #expect(replica.library.entries.count == 3281)
    #expect(replica.library.encoded().count < 3281 * 20)
  }
}
