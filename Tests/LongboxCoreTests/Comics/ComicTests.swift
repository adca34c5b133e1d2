// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

struct ComicNumberTests {
  @Test(arguments: [0, -1, 404, 1_000_000, Int.min, Int.max])
  func `reject numbers that no comic has`(value: Int) {
    #expect(Comic.Number(value) == nil)
  }

  @Test(
    arguments: [(1, nil, 2), (2, 1, 3), (403, 402, 405), (405, 403, 406), (3282, 3281, 3283)]
      as [(Int, Int?, Int)]
  )
  func `skip 404 between neighbours`(value: Int, previous: Int?, next: Int) throws {
    let number = try #require(Comic.Number(value))
    #expect(number.previous?.value == previous)
    #expect(number.next?.value == next)
  }

  @Test(arguments: [(1, 1), (403, 403), (405, 404), (3282, 3281)])
  func `have an ordinal that leaves out 404`(value: Int, ordinal: Int) throws {
    let number = try #require(Comic.Number(value))
    #expect(number.ordinal == ordinal)
    #expect(Comic.Number(ordinal: ordinal) == number)
  }

  @Test func `have no next number after the greatest`() throws {
    #expect(try #require(Comic.Number(Comic.Number.greatestValue)).next == nil)
  }
}

struct LargerVersionTests {
  @Test(
    arguments: [
      ("https://xkcd.com/7/large/", .page), ("http://xkcd.com/7/huge", .page),
      ("https://xkcd.com/7_large/", .page),
      ("https://imgs.xkcd.com/comics/loaf.PNG", .picture), ("https://xkcd.com/7/loaf_bracket.jpg", .picture),
      ("https://xkcd.com/7/sheet.pdf", .document),
    ] as [(String, LargerVersion)]
  )
  func `is where a comic links to one on xkcd`(link: String, version: LargerVersion) throws {
    #expect(LargerVersion(Text(string: link), of: try #require(Comic.Number(7))) == version)
  }

  @Test(arguments: [
    "", "https://xkcd.com", "https://xkcd.com/", "https://xkcd.com/7/", "https://xkcd.com/8/large/",
    "https://xkcd.com/71/large/", "https://xkcd.com/7/spreadsheet/", "https://xkcd.com/7larger",
    "https://imgs.xkcd.com/7/large/", "https://example.com/7/large/", "https://example.com/loaf.png",
    "https://store.xkcd.com/loaf.png", "https://xkcd.com/loaf.png?x=1", "https://xkcd.com/7/large/#top",
    "ftp://xkcd.com/7/large/", "//xkcd.com/7/large/",
  ])
  func `is nowhere else`(link: String) throws {
    #expect(LargerVersion(Text(string: link), of: try #require(Comic.Number(7))) == nil)
  }
}
