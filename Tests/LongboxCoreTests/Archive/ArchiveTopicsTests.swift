// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxCore

struct ArchiveTopicsTests {
  /// Comics with topics by their names; "Ada" and "Bo" are characters.
  private static func comics(_ topics: [(Int, [StaticString])]) throws -> [Comic] {
    try topics.map { value, names in
      let number = try #require(Comic.Number(value))
      let date = try #require(CalendarDate(year: 2020, month: 1, day: 1))
      var comic = Comic(number: number, date: date, title: "Comic " + Text(decimal: value))
      comic.topics = names.map { name in
        let name = Text(name.utf8Bytes)
        return Topic(kind: name == "Ada" || name == "Bo" ? .character : .subject, name: name)
      }
      return comic
    }
  }

  private static func segment(_ comics: [Comic], revision: Int = 1, base: Int = 0) throws -> Segment {
    var writer = SegmentWriter()
    for comic in comics { try writer.append(comic) }
    writer.searchIndex = SearchIndexWriter.index(of: comics)
    return try Segment(writer.finish(.init(revision: revision, base: base)))
  }

  private static let few: [(Int, [StaticString])] = [
    (1, ["Ada", "Maps"]), (2, []), (3, ["Maps", "Kites"]), (5, ["Bo", "Ada", "Bar charts"]),
    (9, ["Kites", "Maps"]),
  ]

  private static func numbers(_ archive: Archive, about name: Text) -> [Int] {
    let comics = archive.comics(about: name)
    return archive.comics.map(\.number).filter { comics.contains($0) }.map(\.value)
  }

  @Test func `come back as they were written, and are counted`() throws {
    let comics = try Self.comics(Self.few)
    let archive = try Archive(Self.segment(comics))
    #expect(archive.comics == comics)
    #expect(archive.topics.map(\.key) == ["ada", "bar-charts", "bo", "kites", "maps"])
    #expect(archive.topics.map(\.count) == [2, 1, 1, 2, 3])
    #expect(archive.topic("ada")?.topic == Topic(kind: .character, name: "Ada"))
    #expect(archive.topic("none") == nil)
    #expect(try archive.compacted().comics == comics)
  }

  @Test func `follow deltas, which number them differently`() throws {
    let whole = try Archive(Self.segment(Self.comics(Self.few)))
    let delta = try Self.comics([(2, ["Kites", "New"]), (3, []), (9, ["Maps"]), (12, ["Ada"])])
    let archive = try whole.adding(Self.segment(delta, revision: 2, base: 1))
    for candidate in [archive, try archive.compacted()] {
      #expect(candidate.topics.map(\.key) == ["ada", "bar-charts", "bo", "kites", "maps", "new"])
      #expect(candidate.topics.map(\.count) == [3, 1, 1, 1, 2, 1])
      #expect(Self.numbers(candidate, about: "ada") == [1, 5, 12])
      #expect(Self.numbers(candidate, about: "maps") == [1, 9])
      #expect(Self.numbers(candidate, about: "kites") == [2])
    }
    let without = try archive.adding(Self.segment(Self.comics([(2, [])]), revision: 3, base: 2))
    #expect(without.topic("new") == nil)
    #expect(Self.numbers(without, about: "new") == [])
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `are those of the newest records`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let names: [StaticString] = ["Ada", "Bo", "Maps", "Kites", "Bar charts", "Tea"]
    var truth: [Int: [StaticString]] = [:]
    var archive = try Archive.empty()
    for revision in 1...6 {
      var delta: [(Int, [StaticString])] = []
      for number in 1...20 where Int.random(in: 0..<3, using: &random) == 0 {
        delta.append(
          (number, Array(names.shuffled(using: &random).dropLast(Int.random(in: 1...6, using: &random))))
        )
        truth[number] = delta.last?.1
      }
      archive = try archive.adding(Self.segment(Self.comics(delta), revision: revision, base: revision - 1))
      for name in names {
        let expected = truth.filter { $0.value.contains { $0.isEqual(to: name.utf8Bytes) } }.keys.sorted()
        #expect(Self.numbers(archive, about: Text(name.utf8Bytes)) == expected, "seed \(seed)")
        let key = Topic.key(of: Text(name.utf8Bytes))
        #expect(archive.topic(key)?.count ?? 0 == expected.count, "seed \(seed)")
      }
    }
  }

  @Test(
    arguments: [
      ("with:Ada", [1, 5]), ("with:\"ada\" about:maps", [1]), ("-with:ada about:maps", [3, 9]),
      ("about:\"bar charts\"", [5]), ("about:chart", [5]), ("about:“kites”", [3, 9]), ("about:ki", [3, 9]),
      ("about:its", []), ("with:none", []), ("-with:none 1-3", [1, 2, 3]), ("about:maps 5-9", [9]),
      ("about:maps comic", [1, 3, 9]), ("about:", []), ("with:\"\"", []), ("with:\"", []),
    ] as [(Text, [Int])]
  )
  func `are conditions of a search`(query: Text, expected: [Int]) throws {
    let search = Search(archive: try Archive(Self.segment(Self.comics(Self.few))))
    #expect(search.results(for: query).hits.map(\.number.value).sorted() == expected)
    #expect(search.numbers(for: query, isDeep: false).map(\.value).sorted() == expected)
  }

  @Test func `make comics alike, the rarer the more, and words do too`() throws {
    var comics = try Self.comics(
      (1...40).map { value in
        var names: [StaticString] = ["Maps"]
        if [4, 9, 30].contains(value) { names.append("Kites") }
        if [4, 30].contains(value) { names.append("Tea") }
        return (value, names)
      }
    )
    comics[11].alt = "A zeppelin and its anchor."
    comics[3].title = "Zeppelin anchor"
    let archive = try Archive(Self.segment(comics))
    func like(_ value: Int, limit: Int = 6) throws -> [Int] {
      archive.comics(like: try #require(Comic.Number(value)), limit: limit).map(\.number.value)
    }
    #expect(try like(4) == [30, 12, 9])
    #expect(try like(4, limit: 1) == [30])
    #expect(try like(12) == [4])
    // All comics are about maps.
    #expect(try like(20) == [])
    #expect(try like(41) == [])
  }

  @Test func `words that are common in the whole make no comics of a delta alike`() throws {
    func common(_ numbers: ClosedRange<Int>) throws -> [Comic] {
      var comics = try Self.comics(numbers.map { ($0, []) })
      for index in comics.indices { comics[index].alt = "It was a dark and stormy night." }
      return comics
    }
    let whole = try Archive(Self.segment(common(1...40)))
    let archive = try whole.adding(Self.segment(common(41...42), revision: 2, base: 1))
    for candidate in [archive, try archive.compacted()] {
      #expect(candidate.comics(like: try #require(Comic.Number(41)), limit: 6).isEmpty)
    }
  }

  @Test func `that are damaged or forged are an error or fewer topics, and never a crash`() throws {
    let whole = try Self.segment(Self.comics(Self.few)).bytes
    // The section is the last, so its names end the file.
    for index in (whole.count - 90)..<whole.count {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var forged = whole
        forged[index] = value
        let changed = forged
        let checked = changed.span.bytes.extracting(SegmentLayout.Header.checked..<changed.count)
        forged.overwrite64(XXH64.hash(checked), at: SegmentLayout.Header.checksum)
        do throws(ArchiveError) {
          let archive = try Archive(Segment(forged))
          for comic in archive.comics { _ = archive.comics(like: comic.number, limit: 6) }
          for topic in archive.topics { _ = archive.comics(about: topic.topic.name) }
        } catch {
          #expect(error == .malformed, "byte \(index)")
        }
      }
    }
  }
}
