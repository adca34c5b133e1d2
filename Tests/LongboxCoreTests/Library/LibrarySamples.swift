// Longbox
// SPDX-License-Identifier: MIT

import TestSupport

@testable import LongboxCore

/// Made-up libraries with every kind of entry.
enum LibrarySamples {
  /// 2026-11-21 07:44:00 UTC.
  static let start: UInt64 = 1_795_247_040_000
  static let day: UInt64 = 86_400_000

  static func comic(_ value: Int) throws -> Comic.Number {
    guard let number = Comic.Number(value) else { throw LibraryError.malformed }
    return number
  }

  /// A library of few keys and timestamps, so that both often clash between two libraries.
  static func library(seed: UInt64, count: ClosedRange<Int> = 0...12) throws -> Library {
    var random = SeededGenerator(seed: seed)
    var library = Library()
    for _ in 0..<Int.random(in: count, using: &random) {
      let entry = try entry(using: &random)
      var one = Library()
      try one.set(entry.key, to: Text("x".utf8), timestamp: .earliest)
      try one.set(entry.key, to: entry.value, timestamp: entry.timestamp)
      try library.merge(one)
    }
    return library
  }

  static func entry(using random: inout SeededGenerator) throws -> LibraryEntry {
    let keys = [
      "favorite/comic/1", "favorite/comic/1000", "favorite/comic/353", "read/comic/353", "read/upto/353",
      "place", "setting/appearance", "setting/unknown", "saved/album/é", "p", "\u{0}",
    ]
    let values: [[UInt8]?] = [nil, [], [0], [1], [1, 2], [255, 0], Array("dark".utf8)]
    return try LibraryEntry(
      key: LibraryKey(Text((keys.randomElement(using: &random) ?? "p").utf8)),
      value: (values.randomElement(using: &random) ?? nil).map { Text($0) },
      timestamp: Timestamp(
        time: UInt64.random(in: 1...3, using: &random),
        counter: UInt32.random(in: 0...1, using: &random),
        device: UInt64.random(in: 1...2, using: &random)
      )
    )
  }
}

extension Library {
  /// All entries without sequences, which differ between copies.
  var content: [LibraryEntry] { Array(entries) }

  /// Encodes the library as a replica that was never synced.
  func encoded() -> [UInt8] { Replica(library: self, device: 1).encoded() }

  /// Decodes the library of a replica.
  init(decoding bytes: [UInt8]) throws(LibraryError) { self = try Replica(decoding: bytes).library }

  func merging(_ other: Library) throws -> Library {
    var merged = self
    try merged.merge(other)
    return merged
  }
}

extension Replica {
  /// Makes one edit with its own edit time.
  @discardableResult
  mutating func edit<Result>(
    at now: UInt64,
    _ change: (inout Library, EditTime) throws -> Result
  ) rethrows -> Result {
    let editTime = editTime(at: now)
    return try change(&library, editTime)
  }
}
