// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxUpstream
import TestSupport
import Testing

@Suite(
  "Recorded xkcd",
  .enabled(if: RecordedData.isPresent, "needs the recorded data that LONGBOX_SHARED names")
)
struct RecordedXkcdTests {
  @Test func `decodes to the last record`() throws {
    let records = try RecordedData.comicRecords()
    #expect(records.count == 3281)
    var interactive: [Int] = []
    for (index, raw) in records.enumerated() {
      let record = try XkcdRecord(raw: raw)
      #expect(record.number.ordinal == index + 1)
      let comic = record.comic()
      #expect(!comic.title.isEmpty)
      if comic.isInteractive { interactive.append(comic.number.value) }
      let hasPicture = XkcdAddresses.standard.picture(at: comic.pictureAddress, doubleSize: true) != nil
      #expect(hasPicture || [1608, 1663].contains(comic.number.value), "\(comic.number.value)")
    }
    #expect(interactive.count == 25)
  }

  @Test func `has news as words and links, all of them and nothing else`() throws {
    let comics = try RecordedData.comicRecords().map { try XkcdRecord(raw: $0).comic() }
    let saying = comics.filter { !$0.news.isEmpty }
    #expect(saying.count == 56)
    let runs = saying.flatMap(\.news.runs)
    #expect(
      runs.filter { !$0.address.isEmpty }.count == 106,
      "every link has an address that may be followed"
    )
    let words = runs.map(\.words.description).joined()
    for markup in ["<", ">", "&amp;", "&lt;", "href", "  ", "\n\n"] {
      #expect(!words.contains(markup), "\(markup)")
    }
    let guests = comics[820...824].map { $0.news.runs.dropFirst().first?.words.description }
    #expect(guests == ["Jeph Jacques", "David Troupes", "Bill Amend", "Jeffrey Rowland", "Zach Weiner"])
  }

  @Test func `decodes as it was served in 2014`() throws {
    let folder = try #require(RecordedData.folder)
    let raw = try Data(contentsOf: folder.appending(path: "xkcd/samples/1409-as-served-in-2014.json"))
    let record = try XkcdRecord(raw: Array(raw))
    #expect(record.pictureAddress == "http://imgs.xkcd.com/comics/query.png")
  }
}
