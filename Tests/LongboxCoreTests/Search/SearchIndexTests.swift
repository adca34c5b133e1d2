// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxCore

struct SearchIndexTests {
  @Test func `returns every term with its documents`() throws {
    let comics = try Samples.comics(count: 200, seed: 3)
    let bytes = SearchIndexWriter.index(of: comics)
    let index = try #require(SearchIndex(bytes, at: 0..<bytes.count))
    var truth: [[UInt8]: Set<Int>] = [:]
    for comic in comics {
      for text in [comic.title, comic.alt, comic.transcript] {
        var tokenizer = Tokenizer(text)
        while tokenizer.next() { truth[tokenizer.word, default: []].insert(comic.number.value) }
      }
    }
    var visited: [[UInt8]] = []
    index.visit(prefix: [], limit: .max) { term in
      visited.append(term.bytes)
      #expect(term.postings.documents == truth[term.bytes]?.count)
      return .next
    }
    #expect(visited == truth.keys.sorted { $0.lexicographicallyPrecedes($1) })
    for (term, documents) in truth { #expect(index.find(term[...])?.documents == documents.count) }
    #expect(index.find(Array("nosuchword".utf8)[...]) == nil)
    #expect(index.find([]) == nil)
    #expect(index.documentCount == comics.count)
  }

  @Test func `stores field lengths to within an eighth`() {
    for words in 0...5000 {
      let decoded = FieldLength.decode(FieldLength.encode(words))
      #expect(decoded <= words && words - decoded <= max(words / 8, 0), "\(words)")
    }
    #expect(FieldLength.decode(.max) > 0)
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `with deltas finds what a full index finds`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var truth = try SearchSamples.comics()
    var archive = try Archive(SearchSamples.segment(of: truth, revision: 1))
    for revision in 2...4 {
      var delta: [Comic] = []
      for index in truth.indices where Int.random(in: 0..<3, using: &random) == 0 {
        truth[index].alt = Text(
          string: "changed \(revision) \(["ship", "code", "π"].randomElement(using: &random) ?? "")"
        )
        delta.append(truth[index])
      }
      archive = try archive.adding(SearchSamples.segment(of: delta, revision: revision, base: revision - 1))
    }
    let whole = try Search(archive: Archive(SearchSamples.segment(of: truth)))
    let layered = Search(archive: archive)
    for query in [
      "ship", "code", "π", "changed", "4 code", "lonely lighthouse", "sandwhich", "make one", "\"a code\"",
      "the",
    ] {
      let expected = whole.results(for: Text(string: query))
      let found = layered.results(for: Text(string: query))
      #expect(found.hits.map(\.number) == expected.hits.map(\.number), "seed \(seed): \(query)")
      #expect(found.hits.map(\.score) == expected.hits.map(\.score), "seed \(seed): \(query)")
      #expect(found.hits.map(\.snippet) == expected.hits.map(\.snippet), "seed \(seed): \(query)")
    }
  }

  @Test func `can be missing`() throws {
    var writer = SegmentWriter()
    for comic in try SearchSamples.comics() { try writer.append(comic) }
    let search = try Search(archive: Archive(Segment(writer.finish(.init(revision: 1)))))
    #expect(search.numbers("code") == [])
    #expect(search.numbers("21") == [21])
    #expect(try Search(archive: .empty()).numbers("code 1-9 is:unread") == [])
  }

  @Test func `can hold explanations in a separate segment`() throws {
    let comics = try SearchSamples.comics()
    let text = try Archive(SearchSamples.segment(of: comics, explained: false))
    var writer = SegmentWriter()
    let pairs = SearchSamples.explanations.compactMap { number, text in
      Comic.Number(number).map { ($0, Text(string: text)) }
    }
    writer.explanationIndex = SearchIndexWriter.index(ofExplanations: pairs)
    let apart = try Segment(writer.finish(.init(revision: 1)))
    #expect(Search(archive: text).numbers("loneliness") == [])
    #expect(try Search(archive: text, explanations: ExplanationIndex(apart)).numbers("loneliness") == [1])
  }

  @Test func `uses only the newest explanation of a comic`() throws {
    let text = try Archive(SearchSamples.segment(of: SearchSamples.comics(), explained: false))
    func segment(_ explanations: [(Int, String)], base: Int = 0) throws -> Segment {
      var writer = SegmentWriter()
      writer.explanationIndex = SearchIndexWriter.index(
        ofExplanations: explanations.compactMap { number, text in
          Comic.Number(number).map { ($0, Text(string: text)) }
        }
      )
      return try Segment(writer.finish(.init(revision: base + 1, base: base)))
    }
    let whole = try segment([(1, "Zebras count ships."), (2, "Zebras sail."), (999, "Zebras of no comic.")])
    let delta = try segment([(1, "Gnus count ships."), (2, "")], base: 1)
    let index = try ExplanationIndex(whole)
    #expect(Search(archive: text, explanations: index).numbers("zebras").sorted() == [1, 2])
    let changed = try Search(archive: text, explanations: index.adding(delta))
    #expect(changed.numbers("zebras") == [])
    #expect(changed.numbers("gnus") == [1])
  }

  /// A forged segment has a valid checksum.
  @Test(arguments: 0..<500 as Range<UInt64>)
  func `never crashes a search when forged`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bytes = try SearchSamples.segment(of: SearchSamples.comics()).bytes
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      let index = Int.random(in: 24..<bytes.count, using: &random)
      bytes[index] =
        [0, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
    }
    let checksum = XXH64.hash(bytes.span.bytes.extracting(24..<bytes.count))
    bytes.overwrite64(checksum, at: SegmentLayout.Header.checksum)
    guard let segment = try? Segment(bytes), let archive = try? Archive(segment) else { return }
    let search = Search(archive: archive)
    for query in [
      "code", "the ships", "sandwhich", "antigravty bobbytables", "s", "\"make a\" -x", "1-99", "2012",
    ] {
      let results = search.results(for: SearchQuestion(text: Text(string: query), isTyping: true))
      #expect(results.hits.count <= archive.count, "seed \(seed)")
    }
  }

  /// The index alone, with every third byte changed in turn.
  @Test func `never crashes a search with any byte changed`() throws {
    let whole = try SearchSamples.segment(of: SearchSamples.comics())
    let range = try #require(whole.searchIndex)
    for index in stride(from: range.lowerBound, to: range.upperBound, by: 3) {
      var bytes = whole.bytes
      bytes[index] ^= 0xFF
      let checksum = XXH64.hash(bytes.span.bytes.extracting(24..<bytes.count))
      bytes.overwrite64(checksum, at: SegmentLayout.Header.checksum)
      let search = try Search(archive: Archive(Segment(bytes)))
      for query in ["code ship", "zandwich"] { #expect(search.numbers(query).count <= 12, "byte \(index)") }
    }
  }
}
