// Longbox
// SPDX-License-Identifier: MIT

import Testing
import TestSupport

@testable import LongboxCore

@Suite struct `Questions and results of a search in bytes` {
  static let question = SearchQuestion(
    text: "étude is:favorite",
    isDeep: true,
    isTyping: true,
    offset: 25,
    limit: 300,
    favorites: ComicSet(bits: [0b10, 0, 0b1000]),
    read: .empty
  )

  static var results: SearchResults {
    var results = SearchResults(total: 412, didYouMean: "étude")
    for value in [1, 353, 3282] {
      guard let number = Comic.Number(value) else { continue }
      results.hits.append(
        SearchHit(
          number: number,
          score: 0,
          field: .alt,
          titleMarks: [0..<2, 5..<9],
          snippet: "a few words “and” more",
          snippetField: .transcript,
          marks: [2..<5],
          isCutBefore: true,
          isCutAfter: false
        )
      )
    }
    return results
  }

  @Test func `come back as they were`() {
    #expect(SearchQuestion(decoding: Self.question.encoded()) == Self.question)
    #expect(SearchResults(decoding: Self.results.encoded()) == Self.results)
    #expect(SearchResults(decoding: SearchResults().encoded()) == SearchResults())
  }

  @Test func `cut anywhere, or with more behind them, are none`() {
    let bytes = (Self.question.encoded(), Self.results.encoded())
    for count in 0..<bytes.0.count { #expect(SearchQuestion(decoding: Array(bytes.0.prefix(count))) == nil) }
    for count in 0..<bytes.1.count { #expect(SearchResults(decoding: Array(bytes.1.prefix(count))) == nil) }
    #expect(SearchQuestion(decoding: bytes.0 + [0]) == nil)
    #expect(SearchResults(decoding: bytes.1 + [0]) == nil)
  }

  @Test func `with any byte changed are read or refused, and marks never run backwards`() {
    let bytes = Self.results.encoded()
    for index in bytes.indices {
      for flip: UInt8 in [1, 0x80, 0xFF] {
        var damaged = bytes
        damaged[index] ^= flip
        guard let results = SearchResults(decoding: damaged) else { continue }
        #expect(results.hits.allSatisfy { $0.marks.allSatisfy { $0.lowerBound <= $0.upperBound } })
      }
    }
  }

  @Test func `a set holds the comics that were put in`() throws {
    let latest = try #require(Comic.Number(3282))
    let set = ComicSet(upTo: latest) { $0.value % 7 == 0 }
    for value in 1...3300 where value != 404 {
      let number = try #require(Comic.Number(value))
      #expect(set.contains(number) == (value % 7 == 0 && value <= 3282))
    }
  }
}
