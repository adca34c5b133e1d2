// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxCore

struct QuizRecordTests {
  private func record(_ library: Library) -> QuizRecord {
    library.quizRecord(.tracks, of: "7", digest: QuizSamples.album.digest)
  }

  @Test func `keep the best, the last, and what was missed`() throws {
    var replica = Replica(device: 1)
    #expect(record(replica.library).plays == 0 && record(replica.library).weakTracks.isEmpty)
    let played: [(marks: [QuizMark], time: UInt64)] = [
      ([.right, .missed, .helped], 50_000), ([.right, .right, .right], 60_000),
      ([.right, .right, .missed], 9000),
    ]
    for (index, row) in played.enumerated() {
      let result = QuizSamples.result(row.marks, milliseconds: row.time)
      try replica.edit(at: UInt64(index + 1) * 100_000) { try $0.record(result, at: $1) }
    }
    let record = record(replica.library)
    #expect(record.plays == 3)
    #expect(record.best == QuizScore(right: 3, helped: 0, total: 3, milliseconds: 60_000, time: 200_000))
    #expect(record.last == QuizScore(right: 2, helped: 0, total: 3, milliseconds: 9000, time: 300_000))
    #expect(record.weakTracks == [2], "the second track was right twice since it was missed")
  }

  @Test func `do not count practice as best`() throws {
    var replica = Replica(device: 1)
    let result = QuizSamples.result([.notAsked, .right, .notAsked], isWhole: false)
    try replica.edit(at: 1) { try $0.record(result, at: $1) }
    #expect(record(replica.library).best == nil)
    #expect(record(replica.library).last?.total == 1)
  }

  @Test(
    arguments: [
      ([.right, .missed], 10, [.right, .right], 99, false),
      ([.right, .helped], 10, [.right, .right], 99, false),
      ([.right, .right], 10, [.right, .right], 11, true),
      ([.right, .right], 12, [.right, .right], 11, false),
    ] as [([QuizMark], UInt64, [QuizMark], UInt64, Bool)]
  )
  func `prefer more right answers, then less help, then less time`(
    marks: [QuizMark],
    time: UInt64,
    otherMarks: [QuizMark],
    otherTime: UInt64,
    isBetter: Bool
  ) {
    let score = QuizScore(QuizSamples.result(marks, milliseconds: time), time: 1)
    let other = QuizScore(QuizSamples.result(otherMarks, milliseconds: otherTime), time: 1)
    #expect(score.isBetter(than: other) == isBetter)
    #expect(other.isBetter(than: score) != isBetter)
  }

  @Test func `lose nothing when two devices play independently`() throws {
    var world = SyncWorld(devices: 2)
    let fast = QuizSamples.result([.right, .right, .missed], milliseconds: 20_000)
    let slow = QuizSamples.result([.missed, .right, .right], milliseconds: 90_000)
    try world.edit(0) { try $0.record(fast, at: $1) }
    try world.edit(1) { try $0.record(slow, at: $1) }
    try world.edit(1) { try $0.record(slow, at: $1) }
    try world.syncAll()
    for library in world.peers.map(\.replica.library) + [world.server] {
      let record = record(library)
      #expect(record.plays == 3)
      #expect(record.best?.milliseconds == 20_000)
      #expect(record.last?.milliseconds == 90_000)
      #expect(record.weakTracks == [0], "the later device knew the third track")
    }
    // One device builds on what the other has learnt.
    let known = QuizSamples.result([.right, .notAsked, .notAsked], isWhole: false)
    for _ in 0..<2 { try world.edit(0) { try $0.record(known, at: $1) } }
    try world.syncAll()
    #expect(record(world.peers[1].replica.library).weakTracks.isEmpty)
    #expect(record(world.server).plays == 5)
  }

  @Test func `do not depend on the order of merging`() throws {
    for seed in 0..<50 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var libraries: [Library] = []
      for device in 1...3 as ClosedRange<UInt64> {
        var replica = Replica(device: device)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let marks = (0..<4).map { _ in QuizMark(rawValue: UInt8.random(in: 0...3, using: &random)) ?? .right
          }
          let result = QuizSamples.result(marks, milliseconds: .random(in: 0...50_000, using: &random))
          try replica.edit(at: .random(in: 1...500_000, using: &random)) { try $0.record(result, at: $1) }
        }
        libraries.append(replica.library)
      }
      let forth = try libraries[0].merging(libraries[1]).merging(libraries[2])
      let back = try libraries[2].merging(libraries[1].merging(libraries[0])).merging(libraries[1])
      #expect(record(forth) == record(back), "seed \(seed)")
      #expect(record(forth).plays == libraries.map { record($0).plays }.reduce(0, +), "seed \(seed)")
    }
  }

  @Test func `of many devices count at most a million plays`() {
    var record = QuizRecord(digest: 1)
    record.plays = QuizRecord.mostPlays
    let other = record
    record.add(other)
    #expect(record.plays == QuizRecord.mostPlays)
  }

  @Test func `of changed tracks keep their figures and drop the weak tracks`() throws {
    var replica = Replica(device: 1)
    try replica.edit(at: 1) { try $0.record(QuizSamples.result([.missed, .right]), at: $1) }
    let other = replica.library.quizRecord(.tracks, of: "7", digest: 5)
    #expect(other.weakTracks.isEmpty && other.plays == 1 && other.best?.right == 1)
    #expect(replica.library.quizRecord(.order, of: "7", digest: 5).plays == 0)
    #expect(replica.library.quizRecord(.tracks, of: "77", digest: 5).plays == 0)
  }

  @Test func `of a device whose clock is behind beat those it has seen`() throws {
    var replica = Replica(device: 1)
    try replica.edit(at: 9_000_000) { try $0.record(QuizSamples.result([.missed]), at: $1) }
    var other = Replica(device: 2)
    try other.library.merge(replica.library)
    for _ in 0..<2 { try other.edit(at: 1000) { try $0.record(QuizSamples.result([.right]), at: $1) } }
    #expect(record(other.library).weakTracks.isEmpty)
    try replica.library.merge(other.library)
    #expect(record(replica.library).weakTracks.isEmpty)
  }

  @Test func `are restored by undo`() throws {
    var replica = Replica(device: 1)
    try replica.edit(at: 1) { try $0.record(QuizSamples.result([.missed]), at: $1) }
    let before = record(replica.library)
    let undo = try replica.edit(at: 2) { try $0.record(QuizSamples.result([.right]), at: $1) }
    try replica.edit(at: 3) { _ = try $0.apply(undo, at: $1) }
    #expect(record(replica.library) == before)
  }

  @Test func `fit into a value, encode as decoded, and are nil where damaged`() throws {
    var replica = Replica(device: 1)
    let marks = (0..<600).map { QuizMark(rawValue: UInt8($0 % 4)) ?? .right }
    try replica.edit(at: 1_795_247_040_000) { try $0.record(QuizSamples.result(marks), at: $1) }
    let entry = try #require(replica.library.entries.first)
    #expect(entry.key.text == "saved/quiz/tracks/7/0000000000000001")
    let value = try #require(entry.value)
    #expect(value.count < 2100)
    #expect(QuizRecord(value)?.value == value)
    for length in 0..<value.count { _ = QuizRecord(Text(value.bytes.prefix(length))) }
    #expect(QuizRecord(Text(value.bytes.prefix(40))) == nil)
    #expect(QuizRecord(Text([2] + Array(value.bytes.dropFirst()))) == nil)
    let slash = QuizResult(
      kind: .tracks,
      subject: "a/b",
      name: "",
      digest: 0,
      marks: [],
      milliseconds: 0,
      isWhole: true
    )
    #expect(throws: LibraryError.savedName) { try replica.edit(at: 5) { try $0.record(slash, at: $1) } }
  }
}
