// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxCore

struct SearchQueryTests {
  private static func words(_ query: SearchQuery) -> [String] {
    query.words.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test(
    arguments: [
      ("", []), ("bobby Tables", ["bobby", "tables"]), ("map -usa", ["map"]), ("map - usa", ["map", "usa"]),
      ("-", []), ("\"a b", ["a", "b"]), ("“curly quotes”", ["curly", "quotes"]), ("is:favorite cat", ["cat"]),
      ("is:red cat", ["cat"]), ("#353 python", ["python"]), ("cat OR dog", ["cat", "dog"]), ("OR", []),
      ("or", ["or"]), ("2014-13", ["2014", "13"]), ("420-425 x", ["x"]), ("9-3", ["9", "3"]),
      ("p=np", ["p", "np", "p=np"]), ("10^36", ["1036"]), ("10³⁶", ["1036"]),
    ] as [(String, [String])]
  )
  func `splits words`(text: String, expected: [String]) {
    #expect(Self.words(SearchQuery(Text(string: text))) == expected)
  }

  @Test func `parses numbers`() {
    #expect(SearchQuery("353").number == 353)
    #expect(SearchQuery("#353").number == 353)
    #expect(SearchQuery("#353 python").number == 353)
    #expect(SearchQuery("random number 4").number == nil)
    #expect(SearchQuery("420-425").numbers == 420...425)
    #expect(SearchQuery("1-9999999").numbers == nil)
    #expect(SearchQuery("10^36").number == nil)
    #expect(SearchQuery("10³⁶").number == nil)
  }

  @Test(
    arguments: [
      ("#353", 353), (" XKCD 353 ", 353), ("xkcd #353", 353), ("comic  353", 353), ("xkcd.com/353", 353),
      ("https://m.xkcd.com/353/", 353), ("http://www.explainxkcd.com/wiki/index.php/353:_Python", 353),
      ("xkcd 404", 404), ("xkcd", nil), ("xkcd python", nil), ("xkcd353", nil), ("comics 353", nil),
      ("comic 353 python", nil), ("xkcd.com", nil), ("xkcd.com/353 python", nil), ("notxkcd.com/353", nil),
      ("xkcd 1234567890", nil), ("353", nil),
    ] as [(String, Int?)]
  )
  func `knows the names of a comic`(text: String, number: Int?) {
    #expect(Text(string: text).namedComic == number)
    if let number {
      let query = SearchQuery(Text(string: text))
      #expect(query.number == number && query.words.isEmpty)
    }
  }

  @Test func `parses dates`() throws {
    let first = try #require(CalendarDate(year: 2012, month: 2, day: 1))
    let last = try #require(CalendarDate(year: 2012, month: 2, day: 29))
    #expect(SearchQuery("2012-02").days == first...last)
    #expect(SearchQuery("2012-02-29").days == last...last)
    #expect(SearchQuery("2013-02-29").days == nil)
  }

  @Test func `joins alternatives and repetitions into one concept`() {
    let query = SearchQuery("cat OR dog map cat")
    #expect(query.words.map(\.concept) == [0, 0, 1, 0])
    #expect(query.conceptCount == 2)
    #expect(query.words.last?.isLast == true)
    #expect(SearchQuery("cat ").words.last?.isLast == false)
  }

  @Test func `joins words with words only, and phrases as a whole`() {
    let query = SearchQuery("cat OR \"a dog\" OR bird fish")
    #expect(query.words.map(\.concept) == [0, 1, 2, 0, 3])
    #expect(query.words.map(\.isInPhrase) == [false, true, true, false, false])
    #expect(query.phrases.map(\.indices) == [1..<3])
    #expect(Set(query.words.dropLast().map(\.group)) == Set(query.phrases.map(\.group)))
    #expect(query.words.last?.group != query.phrases.first?.group)
    let other = SearchQuery("\"a dog\" fish OR \"a cat\"")
    #expect(Set(other.phrases.map(\.group)).count == 2)
  }

  @Test func `keeps phrases and exclusions`() {
    let query = SearchQuery("\"import antigravity\" OR \"hello world\" -perl -\"two words\"")
    #expect(query.phrases.map(\.words.count) == [2, 2])
    #expect(Set(query.phrases.map(\.group)).count == 1)
    #expect(query.excluded.map(\.count) == [1, 2])
  }

  @Test(arguments: 0..<500 as Range<UInt64>)
  func `accepts any bytes`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = ["\"", "“", "-", "is:", "OR", " ", "#", "9", "2014-", "é", "a", "=", "\u{FF}", "favorite"]
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...200, using: &random) {
      bytes += Array((pieces.randomElement(using: &random) ?? "").utf8)
      if Int.random(in: 0..<9, using: &random) == 0 {
        bytes.append(UInt8.random(in: 0...255, using: &random))
      }
    }
    let query = SearchQuery(Text(bytes))
    #expect(query.words.count <= SearchQuery.mostWords, "seed \(seed)")
    #expect(query.conceptCount <= SearchQuery.mostWords, "seed \(seed)")
    #expect(query.text.count <= SearchQuery.longestQuery, "seed \(seed)")
    for word in query.words { #expect(word.concept < query.conceptCount, "seed \(seed)") }
  }
}
