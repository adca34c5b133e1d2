// Longbox
// SPDX-License-Identifier: MIT

import Testing
import TestSupport

@testable import LongboxCore

struct ArchiveTests {
  @Test func `returns what was written`() throws {
    let comics = try Samples.comics(count: 300, seed: 1)
    let archive = try Archive(Segment(Samples.bytes(of: comics, revision: 7)))
    #expect(archive.count == comics.count)
    #expect(archive.revision == 7)
    #expect(archive.rules == DecodingRules.version)
    #expect(archive.latest?.comic == comics.last)
    for comic in comics {
      #expect(archive.comic(comic.number)?.comic == comic)
    }
  }

  @Test func `returns nil for comics that were not written`() throws {
    let archive = try Archive(Segment(Samples.bytes(of: Samples.comics(numbers: [3, 5, 9], seed: 2))))
    for value in [1, 2, 4, 6, 8, 10, 999_999] {
      #expect(archive.comic(try #require(Comic.Number(value))) == nil)
    }
  }

  @Test func `can be empty`() throws {
    let archive = try Archive.empty()
    #expect(archive.count == 0)
    #expect(archive.latest == nil)
    #expect(archive.comic(.first) == nil)
    archive.visit { _ in
      Issue.record("there is nothing to visit")
      return true
    }
  }

  @Test func `visits comics in order, and stops when the visitor says so`() throws {
    let archive = try Archive(Segment(Samples.bytes(of: Samples.comics(numbers: [3, 5, 9, 12], seed: 3))))
    var seen: [Int] = []
    archive.visit(from: try #require(Comic.Number(4))) { comic in
      seen.append(comic.number.value)
      return comic.number.value < 9
    }
    #expect(seen == [5, 9])
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `equals a full archive after adding deltas`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var truth: [Int: Comic] = [:]
    var archive = try Archive.empty()
    for revision in 1...8 {
      let numbers = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        Int.random(in: 1...40, using: &random)
      }
      let delta = try Samples.comics(
        numbers: Array(Set(numbers)).sorted(),
        seed: seed * 100 + UInt64(revision)
      )
      for comic in delta { truth[comic.number.value] = comic }
      archive = try archive.adding(Segment(Samples.bytes(of: delta, revision: revision, base: revision - 1)))
      let expected = truth.values.sorted { $0.number < $1.number }
      for candidate in [archive, try archive.compacted()] {
        #expect(candidate.comics == expected, "seed \(seed)")
        #expect(candidate.count == expected.count, "seed \(seed)")
        #expect(candidate.latest?.comic == expected.last, "seed \(seed)")
        #expect(candidate.revision == revision)
        #expect(expected.allSatisfy { candidate.comic($0.number)?.comic == $0 }, "seed \(seed)")
      }
    }
  }

  @Test func `keeps its oldest rules when compacted`() throws {
    let older = DecodingRules.version - 1
    var writer = SegmentWriter()
    for comic in try Samples.comics(numbers: [1, 2], seed: 6) { try writer.append(comic) }
    let whole = try Archive(Segment(writer.finish(.init(revision: 1, rules: older))))
    let delta = try Segment(Samples.bytes(of: Samples.comics(numbers: [2], seed: 7), revision: 2, base: 1))
    let archive = try whole.adding(delta)
    #expect(archive.rules == older)
    #expect(try archive.compacted().rules == older)
  }

  @Test func `rejects a delta with another base`() throws {
    let archive = try Archive(Segment(Samples.bytes(of: Samples.comics(count: 3, seed: 4), revision: 5)))
    let delta = try Segment(Samples.bytes(of: Samples.comics(count: 1, seed: 5), revision: 7, base: 6))
    #expect(throws: ArchiveError.wrongBase(expected: 5, found: 6)) { try archive.adding(delta) }
    #expect(throws: ArchiveError.wrongBase(expected: 0, found: 6)) { try Archive(delta) }
  }
}

struct SegmentWriterTests {
  @Test func `rejects comics out of order`() throws {
    let comics = try Samples.comics(numbers: [5], seed: 1)
    var writer = SegmentWriter()
    try writer.append(comics[0])
    #expect(throws: ArchiveError.unordered(comic: 5)) { try writer.append(comics[0]) }
  }

  @Test func `rejects what the format can't hold`() throws {
    var writer = SegmentWriter()
    var comic = try Samples.comics(numbers: [5], seed: 1)[0]
    comic.title = Text(repeatElement(UInt8(ascii: "x"), count: 65536))
    #expect(throws: ArchiveError.tooLarge(comic: 5)) { try writer.append(comic) }
    comic.title = Text(repeatElement(UInt8(ascii: "x"), count: 65535))
    comic.picture = PictureFacts(width: 65536, height: 1, byteCount: 1, format: .png)
    #expect(throws: ArchiveError.tooLarge(comic: 5)) { try writer.append(comic) }
    comic.picture = nil
    try writer.append(comic)
    #expect(try Segment(writer.finish(.init(revision: 1)))[row: 0].comic == comic)
  }
}

struct HostileSegmentTests {
  @Test func `are rejected when truncated anywhere`() throws {
    let bytes = try Samples.bytes(of: Samples.comics(count: 5, seed: 1))
    for length in 0..<bytes.count {
      #expect(throws: ArchiveError.self) { try Segment(Array(bytes[..<length])) }
    }
    #expect(throws: ArchiveError.wrongLength(expected: bytes.count, found: bytes.count + 1)) {
      try Segment(bytes + [0])
    }
  }

  @Test func `are rejected when any byte differs`() throws {
    let bytes = try Samples.bytes(of: Samples.comics(count: 3, seed: 1))
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      #expect(throws: ArchiveError.self, "byte \(index)") { try Segment(damaged) }
    }
  }

  @Test func `are rejected as foreign or as an unsupported version`() throws {
    #expect(throws: ArchiveError.foreign) { try Segment([]) }
    #expect(throws: ArchiveError.foreign) {
      try Segment(Array("<!doctype html>".utf8) + Array(repeating: 32, count: 99))
    }
    var newer = try Samples.bytes(of: [])
    newer[SegmentLayout.Header.version] = 9
    #expect(throws: ArchiveError.unsupportedVersion(9)) { try Segment(newer) }
  }

  @Test func `are rejected with a comic's number out of range`() throws {
    let comics = try Samples.comics(numbers: [Comic.Number.greatestValue], seed: 1)
    var bytes = try Samples.bytes(of: comics)
    _ = try Segment(bytes)
    let digits = withUnsafeBytes(of: UInt32(Comic.Number.greatestValue).littleEndian) { Array($0) }
    let place = try #require(bytes.firstRange(of: digits)).lowerBound
    bytes.replaceSubrange(place..<(place + 4), with: [0xFF, 0xFF, 0xFF, 0x7F])
    let checksum = XXH64.hash(bytes.span.bytes.extracting(24..<bytes.count))
    for index in 0..<8 { bytes[16 + index] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * index)) }
    #expect(throws: ArchiveError.malformed) { try Segment(bytes) }
  }

  /// A forged segment with a valid checksum may open, but reading it must not crash.
  @Test(arguments: 0..<400 as Range<UInt64>)
  func `do not crash a reader with a forged checksum`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bytes = try Samples.bytes(of: Samples.comics(count: 6, seed: seed))
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let index = Int.random(in: 24..<bytes.count, using: &random)
      bytes[index] = Bool.random(using: &random) ? 0xFF : UInt8.random(in: 0...255, using: &random)
    }
    let checksum = XXH64.hash(bytes.span.bytes.extracting(24..<bytes.count))
    for index in 0..<8 { bytes[16 + index] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * index)) }
    guard let segment = try? Segment(bytes), let archive = try? Archive(segment) else { return }
    var length = 0
    archive.visit { comic in
      length +=
        comic.title.count + comic.alt.count + comic.transcript.count + comic.news.runs.count
        + comic.link.count
      length += comic.pictureAddress.count + (comic.picture?.width ?? 0) + (comic.date?.year ?? 0)
      _ = archive.comic(comic.number)
      return true
    }
    #expect(length >= 0, "seed \(seed)")
    _ = try? archive.compacted()
  }
}
