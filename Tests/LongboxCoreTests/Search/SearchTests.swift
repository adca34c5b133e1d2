// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxCore

struct SearchTests {
  @Test(
    arguments: [
      ("lighthouse", 1), ("ship", 2), ("etude", 3), ("ÉTUDE", 3), ("good code", 7), ("the code", 9),
      ("c++", 7),
      ("e=mc2", 12), ("bobby tables", 20), ("bobbytables", 20), ("anti gravity", 21), ("antigravty", 21),
      ("imprt antigravity", 21), ("404", 30), ("make me a sandwhich", 31), ("sandwiches", 31), ("π", 32),
      ("color road", 32),
      ("thrown away", 7), ("lonely", 1), ("energy equal masses", 12), ("lihgthouse", 1),
      ("ightousse keeper", 1),
    ]
  )
  func `ranks first`(query: String, number: Int) throws {
    #expect(try SearchSamples.search().numbers(query).first == number)
  }

  @Test func `ranks titles first, then adjacent words`() throws {
    let search = try SearchSamples.search()
    #expect(search.numbers("ships") == [2, 1])
    #expect(search.numbers("antigravity") == [21, 22])
    #expect(search.numbers("code") == [9, 7])
  }

  @Test(
    arguments: [
      ("#21", [21]), ("20-22", [20, 21, 22]), ("2012-02-02", [21]), ("2012-01", [20]),
      ("is:interactive", [30]),
      ("is:favorite", [2, 9]), ("is:favourite", [2, 9]), ("is:unread code", [9]), ("is:read code", [7]),
      ("code -spy", [7]),
      ("\"make a sandwich\"", [31]), ("\"import it and\"", [21]), ("\"import antigravity\"", []),
      ("xkcd 21", [21]), ("Comic #21", [21]), ("https://xkcd.com/21/", [21]), ("xkcd 9999", []),
      ("\"import antigravity\" -perl", []),
      ("antigravity -\"anything to\"", [21]),
      ("lighthouse OR relativity", [12, 1]), ("ship OR \"bobby tables\"", [1, 2, 20]),
      ("\"bobby tables\" OR the", [1, 9, 20, 30, 32]), ("lighthouse OR \"good table\"", [1]),
      ("\"good code\" OR \"the code\"", [7, 9]), ("\"bobby tables\" ship OR \"good code\" -perl", []),
      ("code -spy -\"throw it\"", []), ("code -ships -\"bobby tables\"", [9, 7]), ("2099-01-01", [32]),
      ("-code 7-9", []), ("9", [9]),
      ("9 is:unread", [9]), ("9 is:read", []), ("9 -code", []), ("21 2012-01", []),
      ("zzzzqq", []),
    ] as [(String, [Int])]
  )
  func `supports its query grammar`(query: String, expected: [Int]) throws {
    let latest = try #require(Comic.Number(99))
    let question = SearchQuestion(
      text: Text(string: query),
      favorites: ComicSet(upTo: latest) { [2, 9].contains($0.value) },
      read: ComicSet(upTo: latest) { $0.value < 9 }
    )
    let found = try SearchSamples.search().results(for: question).hits.map(\.number.value)
    #expect(query.contains("OR") ? Set(found) == Set(expected) : found == expected)
  }

  @Test(arguments: ["10^36", "10³⁶", "1036"])
  func `finds a power however it is written`(query: String) throws {
    let texts = ["It has 10³⁶ atoms.", "About 10^36 of them.", "The code is 1036.", "Ten by 10, or 36."]
    let comics = try texts.enumerated().map { index, text in
      Comic(
        number: try #require(Comic.Number(index + 1)),
        date: try #require(SearchSamples.date(of: 1)),
        title: "Counting",
        alt: Text(string: text)
      )
    }
    let search = try Search(archive: Archive(SearchSamples.segment(of: comics, explained: false)))
    #expect(Set(search.numbers(query)) == [1, 2, 3])
  }

  @Test func `searches only titles on request`() throws {
    let search = try SearchSamples.search()
    #expect(search.numbers("code", isDeep: false) == [9, 7])
    #expect(search.numbers("sandwich", isDeep: false) == [31])
    #expect(search.numbers("carpenter", isDeep: false) == [])
    #expect(search.numbers("21", isDeep: false) == [21])
  }

  @Test(
    arguments: [
      ("good code", [7]), ("the code", [9]), ("code spy", []), ("good relativity", []),
      ("bobbi tabels", [20]),
      ("long OR good code", [7]), ("\"the code\" OR relativity", [9, 12]), ("anti gravity", [21]),
      ("#21 code", [21, 7, 9]), ("the code sandwich", []),
    ] as [(String, [Int])]
  )
  func `searches titles for all words`(query: String, expected: [Int]) throws {
    let found = try SearchSamples.search().numbers(query, isDeep: false)
    #expect(Set(found) == Set(expected))
  }

  @Test func `keeps a title while its last word is typed`() throws {
    // More words with this beginning than completions are counted.
    var comics = [(title: "Good Cozy Code", alt: "")]
    for first in "abcdefgh" {
      for second in "abcdefghijklmnopqrstuvwxyz" { comics.append(("Other", "c\(first)\(second)x")) }
    }
    let search = try search(comics)
    for end in ["c", "co", "coz", "cozy"] {
      #expect(search.numbers("good \(end)", isDeep: false, isTyping: true) == [1], "\(end)")
    }
    #expect(search.numbers("good q", isDeep: false, isTyping: true).isEmpty)
  }

  @Test func `adds to titles what all texts contain besides`() throws {
    let search = try SearchSamples.search()
    var question = SearchQuestion(text: "ship", isDeep: false, mostInTexts: 5)
    let both = search.results(for: question)
    #expect(both.hits.map(\.number.value) == [2])
    #expect(both.inTexts?.hits.map(\.number.value) == [1])
    #expect(both.inTexts?.totalOfDeepSearch == 2)
    question.text = "sandwich OR code OR a"
    question.mostInTexts = 2
    let more = search.results(for: question)
    let deep = search.numbers("sandwich OR code OR a", isDeep: true)
    let titles = more.hits.map(\.number.value)
    #expect(more.inTexts?.hits.map(\.number.value) == Array(deep.filter { !titles.contains($0) }.prefix(2)))
    #expect(more.inTexts?.totalOfDeepSearch == deep.count)
    question.text = "2012-02-02"
    #expect(search.results(for: question).inTexts?.hits.isEmpty == true, "the same comic")
    question.isDeep = true
    #expect(search.results(for: question).inTexts == nil)
  }

  @Test func `knows whether the results have dates in common`() throws {
    let search = try SearchSamples.search()
    for query in ["2012-01", "2012-02-02", "2012"] {
      #expect(search.results(for: Text(string: query)).isByDate)
    }
    for query in ["code", "20-22"] { #expect(!search.results(for: Text(string: query)).isByDate) }
  }

  @Test(arguments: ["ships", "code", "21", "20-22", "bobby tables", "the", "zzzzqq", " "], [true, false])
  func `returns the numbers alone as well`(query: String, isDeep: Bool) throws {
    let search = try SearchSamples.search()
    let numbers = search.numbers(for: Text(string: query), isDeep: isDeep)
    #expect(numbers.map(\.value) == search.numbers(query, isDeep: isDeep))
  }

  @Test(arguments: ["ship OR \"bobby tables\"", "ship OR \"ship tables\""])
  func `finds every comic with a word that is joined to a phrase`(query: String) throws {
    let date = try #require(SearchSamples.date(of: 1))
    let comics = (1...500).compactMap { Comic.Number($0) }.map { number in
      Comic(number: number, date: date, title: number.value == 7 ? "Ship of Bobby Tables" : "Ship")
    }
    let search = try Search(archive: Archive(SearchSamples.segment(of: comics, explained: false)))
    #expect(search.results(for: Text(string: query)).total == comics.count)
  }

  /// Comics with these titles and alt texts, from number 1.
  private func search(_ texts: [(title: String, alt: String)]) throws -> Search {
    let comics = try texts.enumerated().map { index, text in
      let number = try #require(Comic.Number(index + 1))
      let date = try #require(SearchSamples.date(of: index + 1))
      return Comic(number: number, date: date, title: Text(string: text.title), alt: Text(string: text.alt))
    }
    return try Search(archive: Archive(SearchSamples.segment(of: comics, explained: false)))
  }

  @Test func `does not correct a word that a title has, however rare it is`() throws {
    let search = try search([
      ("Maze", "A way out."), ("Tea", "Make it."), ("Haste", "Make it."), ("Do", "Make it."),
    ])
    #expect(search.numbers("maze") == [1])
    #expect(search.results(for: "maze").didYouMean == nil)
    // No title has this word.
    #expect(Set(search.numbers("mako")) == [2, 3, 4])
  }

  @Test func `completes the last word while typing`() throws {
    let search = try SearchSamples.search()
    #expect(search.numbers("lighth", isTyping: true) == [1])
    #expect(search.numbers("sand", isTyping: true).first == 31)
    #expect(search.numbers("relativ", isTyping: true).first == 12)
  }

  @Test func `suggests another spelling`() throws {
    let results = try SearchSamples.search().results(for: "the lihgthouse!")
    #expect(results.didYouMean == "the lighthouse!")
    #expect(try SearchSamples.search().results(for: "the lighthouse").didYouMean == nil)
  }

  @Test func `suggests only words of titles where only titles are searched`() throws {
    let search = try search([
      ("Ship", "In the harbour."), ("One", "A shop."), ("Two", "A shop."), ("Three", "No shop."),
    ])
    #expect(search.results(for: "shap").didYouMean == "shop")
    #expect(search.results(for: SearchQuestion(text: "shap", isDeep: false)).didYouMean == "ship")
    #expect(search.numbers("shap", isDeep: false) == [1])
    #expect(search.results(for: "harbuor").didYouMean == "harbour")
    #expect(search.results(for: SearchQuestion(text: "harbuor", isDeep: false)).didYouMean == nil)
    // A word of another text isn't misspelled.
    #expect(search.results(for: SearchQuestion(text: "shop", isDeep: false)).didYouMean == nil)
    #expect(search.numbers("shop", isDeep: false).isEmpty)
  }

  @Test(
    arguments: [
      ("bobbi tabels", "bobby tables"), ("bobbi", "bobby"), ("bobby tabels", "bobby tables"),
      ("table ships", nil), ("study codes", nil), ("studi codes", "study codes"),
    ]
  )
  func `corrects every misspelled word`(query: String, meant: String?) throws {
    let results = try SearchSamples.search().results(for: Text(string: query))
    #expect(results.didYouMean?.description == meant)
  }

  @Test func `tells a question from what the results answer already`() throws {
    let search = try SearchSamples.search()
    #expect(search.results(for: "lihgthouse").showsMeant, "the word as it is typed is nowhere")
    let rare = try self.search([("One", "A perl.")] + (2...10).map { _ in ("Other", "A pearl.") })
    let results = rare.results(for: "perl")
    #expect(results.hits.first?.number.value == 1)
    #expect(results.didYouMean == "pearl" && !results.showsMeant)
  }

  @Test func `offers a phrase that is nowhere without its quotation marks`() throws {
    let search = try SearchSamples.search()
    let nowhere = search.results(for: "“import antigravity” -\"two words\"")
    #expect(nowhere.total == 0)
    #expect(nowhere.withoutQuotes == "import antigravity -\"two words\"")
    #expect(search.results(for: "\"zzzzqq qqzzzz\"").withoutQuotes == nil, "its words are nowhere, either")
    #expect(search.results(for: "\"make a sandwich\"").withoutQuotes == nil)
    let titles = search.results(
      for: SearchQuestion(text: "\"import antigravity\"", isDeep: false, mostInTexts: 5)
    )
    #expect(titles.withoutQuotes == "import antigravity")
    #expect(search.numbers("\"import antigr", isTyping: true).contains(21), "not typed yet")
  }

  @Test func `finds a phrase in explanations if no comic has it`() throws {
    let search = try SearchSamples.search()
    let question = SearchQuestion(text: "\"lighthouse keeper\"")
    let without = search.results(for: question)
    #expect(without.total == 0)
    #expect(without.missingTexts.map(\.value) == [1])
    let with = search.results(for: question) { _ in "A lighthouse keeper has a lonely job." }
    #expect(with.hits.map(\.number.value) == [1])
    #expect(search.results(for: question) { _ in "The keeper of a lighthouse." }.total == 0)
    #expect(
      search.results(for: SearchQuestion(text: "\"ship tonight\"")).missingTexts.isEmpty,
      "a comic has it"
    )
  }

  @Test func `returns results in pages`() throws {
    let search = try SearchSamples.search()
    let all = search.results(for: "a the one make code ship")
    var pages: [Int] = []
    for offset in stride(from: 0, to: all.total, by: 2) {
      let page = search.results(
        for: SearchQuestion(text: "a the one make code ship", offset: offset, limit: 2)
      )
      #expect(page.total == all.total)
      pages += page.hits.map(\.number.value)
    }
    #expect(pages == all.hits.map(\.number.value))
    #expect(search.results(for: SearchQuestion(text: "ship", offset: 99, limit: -1)).hits.isEmpty)
  }

  @Test func `marks the matches`() throws {
    let search = try SearchSamples.search()
    let title = try #require(search.results(for: "bobby tables").hits.first)
    #expect(title.field == .title)
    #expect(title.titleMarks == [0..<7, 8..<14])
    let alt = try #require(search.results(for: "spoons").hits.first)
    #expect(alt.field == .alt)
    #expect(alt.snippet == "She plays it on spoons.")
    #expect(alt.marks == [16..<22])
    let explanation = try #require(search.results(for: "loneliness").hits.first)
    #expect(explanation.field == .explanation)
    #expect(explanation.snippet.isEmpty)
  }

  @Test func `leaves scene and sound signs out of snippets, and still marks the matches`()
    throws
  {
    let hit = try #require(SearchSamples.search().results(for: "tower ship").hits.first)
    #expect(hit.snippetField == .transcript)
    #expect(hit.snippet == "A tower by the sea\nKeeper: One more ship tonight.")
    let start = hit.snippet.bytes.startIndex
    let marked = hit.marks.map { mark in
      String(
        decoding: hit.snippet.bytes[(start + mark.lowerBound)..<(start + mark.upperBound)],
        as: UTF8.self
      )
    }
    #expect(marked == ["tower", "ship"])
  }

  @Test func `cuts snippets out of long texts between words`() throws {
    var comic = Comic(number: .first, date: try #require(CalendarDate(year: 2010, month: 1, day: 1)))
    comic.transcript = Text(
      string: String(repeating: "wörd ", count: 400) + "needle " + String(repeating: "wörd ", count: 400)
    )
    let search = try Search(archive: Archive(SearchSamples.segment(of: [comic])))
    let hit = try #require(search.results(for: "needle").hits.first)
    #expect(hit.isCutBefore && hit.isCutAfter)
    #expect(hit.snippet.count < 200)
    #expect(hit.snippet.description.split(separator: " ").allSatisfy { $0 == "wörd" || $0 == "needle" })
    let start = hit.snippet.bytes.startIndex
    #expect(
      hit.marks.map {
        String(decoding: hit.snippet.bytes[(start + $0.lowerBound)..<(start + $0.upperBound)], as: UTF8.self)
      } == ["needle"]
    )
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `answers any query, always with the same results`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "\"", "-", "is:unread", " OR ", " ", "code", "ship", "2012", "é", "mak", "=", "sandwhich", "#7", "the",
    ]
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      bytes += Array((pieces.randomElement(using: &random) ?? "").utf8)
      if Int.random(in: 0..<9, using: &random) == 0 {
        bytes.append(UInt8.random(in: 0...255, using: &random))
      }
    }
    let question = SearchQuestion(text: Text(bytes), isDeep: seed % 2 == 0, isTyping: seed % 3 == 0)
    let first = try SearchSamples.search().results(for: question)
    let second = try SearchSamples.search().results(for: question)
    #expect(first.hits.map(\.number) == second.hits.map(\.number), "seed \(seed)")
    #expect(first.hits.map(\.score) == second.hits.map(\.score), "seed \(seed)")
    #expect(first.hits.count == first.total, "seed \(seed)")
    for hit in first.hits {
      #expect(
        hit.marks.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= hit.snippet.count },
        "seed \(seed)"
      )
    }
  }
}

struct ComicSetTests {
  @Test func `contains exactly the comics that were added`() throws {
    let latest = try #require(Comic.Number(3282))
    let set = ComicSet(upTo: latest) { $0.value % 7 == 0 }
    for value in 1...3300 where value != 404 {
      let number = try #require(Comic.Number(value))
      #expect(set.contains(number) == (value % 7 == 0 && value <= 3282))
    }
    let multiples = (1...3300).filter { $0 % 7 == 0 }.compactMap { Comic.Number($0) }
    #expect(ComicSet(upTo: latest, multiples) == set)
  }
}
