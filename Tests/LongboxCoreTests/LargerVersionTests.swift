// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@Suite struct `A larger version` {
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
