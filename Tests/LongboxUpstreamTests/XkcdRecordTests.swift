// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxUpstream
import Testing

@Suite("A record") struct XkcdRecordTests {
  private func record(_ json: String) throws -> XkcdRecord { try XkcdRecord(raw: Array(json.utf8)) }

  private let least = #""num": 7, "year": "2011", "month": "2", "day": "9", "title": "Bread""#

  @Test func `is decoded and kept byte for byte`() throws {
    let raw = Records.record(7)
    let record = try XkcdRecord(raw: raw)
    #expect(record.raw == raw)
    #expect(record.number.value == 7)
    #expect(record.date == CalendarDate(year: 2011, month: 2, day: 9))
    #expect(record.title == "Bread")
    #expect(record.alt == "It rose.")
    #expect(record.transcript == "[[A loaf.]]")
    #expect(record.pictureAddress == "https://imgs.xkcd.com/comics/bread.png")
    #expect(record.link.isEmpty && record.news.isEmpty && !record.hasExtraParts)
  }

  @Test func `may have escaped slashes, as in 2014, and space around it`() throws {
    let record = try record(" \r\n{\(least), \"img\": \"http:\\/\\/imgs.xkcd.com\\/comics\\/bread.png\"}\n")
    #expect(record.pictureAddress == "http://imgs.xkcd.com/comics/bread.png")
    #expect(record.raw.first == 0x20 && record.raw.last == 0x0A)
  }

  @Test func `may lack everything but number, date and title`() throws {
    let record = try record("{\(least)}")
    #expect(
      [record.alt, record.transcript, record.pictureAddress, record.link, record.news] == [
        "", "", "", "", "",
      ]
    )
  }

  @Test func `may have fields of odd types, and unknown fields`() throws {
    let record = try record(
      #"{"num": 7, "year": 2011, "month": 2, "day": 9, "title": "Bread", "alt": null, "news": 5, "new": {"a": [1]}}"#
    )
    #expect(record.date == CalendarDate(year: 2011, month: 2, day: 9))
    #expect(record.alt.isEmpty && record.news.isEmpty)
  }

  @Test func `is interactive with extra parts, but not with null`() throws {
    #expect(try record(#"{\#(least), "extra_parts": {"pre": "<script>"}}"#).hasExtraParts)
    #expect(try !record(#"{\#(least), "extra_parts": null}"#).hasExtraParts)
  }

  @Test func `uses the safe title where the title is empty`() throws {
    #expect(
      try record(#"{"num": 7, "year": "2011", "month": "2", "day": "9", "title": "", "safe_title": "x"}"#)
        .title == "x"
    )
  }

  @Test(arguments: [
    ("", XkcdRecord.RecordFault.empty),
    (" \n", .empty),
    ("<!DOCTYPE html><title>404 Not Found</title>", .html),
    ("\n <html>", .html),
    ("[]", .notAnObject),
    ("null", .notAnObject),
    ("{", .notAnObject),
    (#"{"num": 7, "title": "Bre"#, .notAnObject),
    (#"{"num": 7} {"num": 8}"#, .notAnObject),
    ("{}", .noNumber),
    (#"{"num": "7"}"#, .noNumber),
    (#"{"num": null}"#, .noNumber),
    (#"{"num": 0}"#, .badNumber(0)),
    (#"{"num": -1}"#, .badNumber(-1)),
    (#"{"num": 404}"#, .badNumber(404)),
    (#"{"num": 1000000}"#, .badNumber(1_000_000)),
    (#"{"num": 7, "title": "x"}"#, .badDate),
    (#"{"num": 7, "title": "x", "year": "2011", "month": "2", "day": "29"}"#, .badDate),
    (#"{"num": 7, "title": "x", "year": "", "month": "2", "day": "9"}"#, .badDate),
    (#"{"num": 7, "year": "2011", "month": "2", "day": "9"}"#, .noTitle),
    (#"{"num": 7, "year": "2011", "month": "2", "day": "9", "title": "", "safe_title": ""}"#, .noTitle),
    (#"{"num": 99999999999999999999999}"#, .notAnObject),
    (#"{"num": 7.5}"#, .notAnObject),
  ])
  func `is rejected with the reason`(json: String, fault: XkcdRecord.RecordFault) {
    #expect(throws: fault) { try record(json) }
  }

  @Test(
    arguments: [
      [0x7B, 0xFF, 0x7D],
      Records.record(7).reduce(into: []) { $0 += [$1, 0] },
      Records.record(7).reduce(into: []) { $0 += [0, $1] },
      Records.record(7, title: "a").map { $0 == UInt8(ascii: "a") ? 0x80 : $0 },
      Array(String(repeating: "{\"a\":", count: 100_000).utf8),
    ] as [[UInt8]]
  )
  func `is rejected in another encoding or without an end`(bytes: [UInt8]) {
    #expect(throws: XkcdRecord.RecordFault.notAnObject) { try XkcdRecord(raw: bytes) }
  }

  @Test func `has a limited length`() {
    let long = Records.record(7) + Array(repeating: 0x20, count: XkcdRecord.byteLimit)
    #expect(throws: XkcdRecord.RecordFault.tooLong(limit: XkcdRecord.byteLimit)) { try XkcdRecord(raw: long) }
  }

  @Test func `is rejected when truncated anywhere`() {
    let whole = Records.record(7)
    for length in 0..<whole.count {
      #expect(throws: XkcdRecord.RecordFault.self, "cut to \(length)") {
        try XkcdRecord(raw: Array(whole[..<length]))
      }
    }
  }

  @Test func `becomes a comic by the rules`() throws {
    let raw = Records.record(7, title: "B&eacute;chamel", with: #", "extra_parts": {}"#)
    let comic = try XkcdRecord(raw: raw).comic()
    #expect(comic.number.value == 7)
    #expect(comic.title == "Béchamel")
    #expect(comic.alt == "It rose.")
    #expect(comic.transcript == "[[A loaf.]]")
    #expect(comic.pictureAddress == "https://imgs.xkcd.com/comics/bread.png")
    #expect(comic.isInteractive)
  }

  @Test func `has its news parsed`() throws {
    let comic = try record(#"{\#(least), "news": "By <a href='https://example.org/'>a guest</a>."}"#).comic()
    #expect(
      comic.news == News([.init("By "), .init("a guest", address: "https://example.org/"), .init(".")])
    )
  }

  @Test func `without a picture's name becomes a comic without a picture`() throws {
    let comic = try record(#"{\#(least), "img": "https://imgs.xkcd.com/comics/"}"#).comic()
    #expect(comic.pictureAddress.isEmpty)
    #expect(comic.isInteractive)
  }
}
