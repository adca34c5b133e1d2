// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxCore

struct ExplanationIndexTests {
  private static let words = "the ship sails code π étude 353 lighthouse C++ don't a of".split(separator: " ")

  private static func segment(
    _ texts: [Int: String],
    revision: Int,
    base: Int = 0,
    isSampleBox: Bool = false,
    rules: Int = DecodingRules.version
  ) throws -> Segment {
    var writer = SegmentWriter()
    writer.explanationIndex = SearchIndexWriter.index(
      ofExplanations: texts.sorted { $0.key < $1.key }.compactMap { number, text in
        Comic.Number(number).map { ($0, Text(string: text)) }
      }
    )
    return try Segment(
      writer.finish(.init(revision: revision, base: base, isSampleBox: isSampleBox, rules: rules))
    )
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...40, using: &random))
      .map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `equals an index of all explanations at once after adding deltas`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var truth: [Int: String] = [:]
    var index = try ExplanationIndex.empty()
    for revision in 1...Int.random(in: 1...6, using: &random) {
      var changed: [Int: String] = [:]
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let number = Int.random(in: 1...30, using: &random)
        changed[number] = Int.random(in: 0..<6, using: &random) == 0 ? "" : Self.text(&random)
      }
      truth.merge(changed) { $1 }
      index = try index.adding(Self.segment(changed, revision: revision, base: revision - 1))
    }
    let present = truth.filter { !$0.value.isEmpty }
    #expect(index.count == present.count, "seed \(seed)")
    let compacted = try index.compacted()
    #expect(compacted.segments.count == 1)
    #expect(compacted.count == present.count, "seed \(seed)")
    let whole = try Self.segment(present, revision: index.revision)
    #expect(compacted.segments[0].bytes == whole.bytes, "seed \(seed)")
  }

  @Test func `keeps its oldest rules when compacted`() throws {
    let older = DecodingRules.version - 1
    let whole = try ExplanationIndex(Self.segment([1: "ship"], revision: 1, rules: older))
    let index = try whole.adding(Self.segment([2: "code"], revision: 2, base: 1))
    #expect(index.rules == older)
    #expect(try index.compacted().rules == older)
  }

  @Test func `accepts only a delta with its own base`() throws {
    let whole = try Self.segment([1: "ship"], revision: 3)
    let index = try ExplanationIndex(whole)
    #expect(index.revision == 3)
    #expect(throws: ArchiveError.wrongBase(expected: 3, found: 2)) {
      try index.adding(Self.segment([:], revision: 4, base: 2))
    }
    #expect(throws: ArchiveError.wrongBase(expected: 0, found: 2)) {
      try ExplanationIndex(Self.segment([:], revision: 4, base: 2))
    }
    #expect(try index.adding(Self.segment([2: "code"], revision: 9, base: 3)).revision == 9)
  }

  @Test func `is ignored where it belongs to another box`() throws {
    let archive = try Archive(SearchSamples.segment(of: SearchSamples.comics(), explained: false))
    for isSampleBox in [false, true] {
      let index = try ExplanationIndex(
        Self.segment([1: "quagga"], revision: 1, isSampleBox: isSampleBox)
      )
      #expect(Search(archive: archive, explanations: index).numbers("quagga") == (isSampleBox ? [] : [1]))
    }
  }

  @Test func `shows a snippet where the host has the text`() throws {
    let archive = try Archive(SearchSamples.segment(of: SearchSamples.comics(), explained: false))
    let text =
      "A quagga is a zebra of a kind that died out long ago; \(String(repeating: "more ", count: 90))."
    let search = try Search(
      archive: archive,
      explanations: ExplanationIndex(Self.segment([1: text], revision: 1))
    )
    let bare = try #require(search.results(for: SearchQuestion(text: "quaggas")).hits.first)
    #expect(bare.field == .explanation && bare.snippet.isEmpty && bare.marks.isEmpty)
    let results = search.results(for: SearchQuestion(text: "quaggas")) { number in
      number == .first ? Text(string: text) : nil
    }
    let hit = try #require(results.hits.first)
    #expect(hit.field == .explanation && hit.snippetField == .explanation)
    #expect(hit.snippet.description.hasPrefix("A quagga is a zebra"))
    #expect(hit.marks == [2..<8])
    #expect(hit.isCutAfter && !hit.isCutBefore)
    // A text that has changed since it was indexed may lack the words.
    let other = search.results(for: SearchQuestion(text: "quagga")) { _ in "Something else." }
    #expect(other.hits.first?.snippet.isEmpty == true)
  }

  /// A forged segment has a valid checksum; adding deltas and compacting must not crash either.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `does not crash when forged`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var texts: [Int: String] = [:]
    for number in 1...20 { texts[number] = Self.text(&random) }
    var bytes = try Self.segment(texts, revision: 1).bytes
    for _ in 0..<Int.random(in: 1...30, using: &random) {
      let index = Int.random(in: 24..<bytes.count, using: &random)
      bytes[index] =
        [0, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
    }
    bytes.overwrite64(
      XXH64.hash(bytes.span.bytes.extracting(24..<bytes.count)),
      at: SegmentLayout.Header.checksum
    )
    guard let segment = try? Segment(bytes), let index = try? ExplanationIndex(segment) else { return }
    let revision = index.revision
    guard let layered = try? index.adding(Self.segment([3: "ship"], revision: revision + 1, base: revision))
    else { return }
    #expect(layered.count >= 1, "seed \(seed)")
    let archive = try Archive(SearchSamples.segment(of: SearchSamples.comics(), explained: false))
    for index in [layered, try layered.compacted()] {
      let search = Search(archive: archive, explanations: index)
      for query in ["ship", "lighthouse code", "shp", "a π"] {
        #expect(search.numbers(query).count <= archive.count, "seed \(seed)")
      }
    }
  }
}
