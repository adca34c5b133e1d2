// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCatalog
import LongboxCore
import LongboxPush
import LongboxStore
import Testing

@testable import LongboxReaders

@Suite("A notification") struct AnnouncementTests {
  private func archive(_ xkcd: FakeXkcd, storing numbers: [Int]) async throws -> Archive {
    try await withCatalog(xkcd) { bench async throws in
      await bench.catalog.prepare()
      for number in numbers { try await bench.catalog.ensure(.init(of: number), withPicture: true) }
      return bench.catalog.snapshot.archive
    }
  }

  private let thumbnail: @Sendable (ArchivedComic) -> String? = { comic in
    comic.picture.map { "/small/\(comic.number.value)/\($0.versionText)" }
  }

  private struct News: Decodable {
    var comic: Int
    var count: Int?
    var title: String?
    var thumbnail: String?
    var hides: Bool?
  }

  @Test func `is for each comic, or for several at once if there are many`() async throws {
    let archive = try await archive(FakeXkcd(latest: 12), storing: Array(6...12))
    func next(_ announced: Int, _ newest: Int) -> Announcement.Subject? {
      Announcement(after: .init(of: announced), upTo: .init(of: newest), in: archive)?.subject
    }
    #expect(next(12, 12) == nil)
    #expect(next(11, 12) == .comic(.init(of: 12)))
    #expect(next(9, 12) == .comic(.init(of: 10)))
    #expect(next(8, 12) == .several(4, newest: .init(of: 12)))
    #expect(next(1, 12) == .several(11, newest: .init(of: 12)))
    #expect(next(4, 6) == .comic(.init(of: 6)), "5 could not be had.")
    #expect(next(3, 5) == nil)
  }

  @Test func `skips comic 404`() async throws {
    let archive = try await archive(FakeXkcd(latest: 406, from: 402), storing: [403, 405, 406])
    let next = Announcement(after: .init(of: 403), upTo: .init(of: 406), in: archive)
    #expect(next?.subject == .comic(.init(of: 405)))
    let first = Announcement(after: .init(of: 402), upTo: .init(of: 406), in: archive)
    #expect(first?.subject == .comic(.init(of: 403)))
  }

  @Test(arguments: [false, true])
  func `has title, number and picture, or hides them`(hides: Bool) async throws {
    let archive = try await archive(FakeXkcd(latest: 3), storing: [3])
    let announcement = Announcement(.comic(.init(of: 3)), hidesSpoilers: hides)
    let text = try announcement.text(in: archive, thumbnail: thumbnail)
    let news = try JSONDecoder().decode(News.self, from: Data(text))
    #expect(news.comic == 3 && news.count == nil)
    #expect(news.title == (hides ? nil : "Bread 3"))
    #expect(news.hides == (hides ? true : nil))
    #expect(news.thumbnail?.wholeMatch(of: /\/small\/3\/[0-9a-f]{8}/) != nil)
    #expect(announcement.topic == "comic-3")
    #expect(Announcement.timeToLive == 259_200)
  }

  @Test func `for several comics has their count and the newest`() async throws {
    let archive = try await archive(FakeXkcd(latest: 3), storing: [3])
    let announcement = Announcement(.several(5, newest: .init(of: 3)))
    let text = try announcement.text(in: archive, thumbnail: thumbnail)
    let news = try JSONDecoder().decode(News.self, from: Data(text))
    #expect(news.comic == 3 && news.count == 5 && news.title == nil)
    #expect(announcement.topic == "comics")
  }

  @Test func `is short, even if the title is long`() async throws {
    let xkcd = FakeXkcd(latest: 3)
    xkcd.set(
      HandmadeRecord.raw(3, title: String(repeating: "\u{1F468}\u{200D}\u{1F469}", count: 900)),
      for: 3
    )
    let archive = try await archive(xkcd, storing: [3])
    let text = try Announcement(.comic(.init(of: 3))).text(in: archive, thumbnail: thumbnail)
    #expect(text.count < 2500)
  }
}

@Suite("Quiet hours in the reader's time zone") struct QuietHoursTests {
  private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

  /// From, until, time zone, the current time, and when notifications may resume.
  @Test(
    arguments: [
      ("22:00", "07:00", "UTC", "2027-01-15T21:59:59Z", nil),
      ("22:00", "07:00", "UTC", "2027-01-15T22:00:00Z", "2027-01-16T07:00:00Z"),
      ("22:00", "07:00", "UTC", "2027-01-15T03:30:00Z", "2027-01-15T07:00:00Z"),
      ("22:00", "07:00", "UTC", "2027-01-15T07:00:00Z", nil),
      ("09:00", "17:00", "UTC", "2027-01-15T12:00:00Z", "2027-01-15T17:00:00Z"),
      ("09:00", "17:00", "UTC", "2027-01-15T17:00:00Z", nil),
      ("22:00", "07:00", "Europe/Berlin", "2027-01-15T05:30:00Z", "2027-01-15T06:00:00Z"),
      ("22:00", "07:00", "America/New_York", "2027-01-15T05:30:00Z", "2027-01-15T12:00:00Z"),
      ("22:00", "07:00", "Asia/Kolkata", "2027-01-15T17:00:00Z", "2027-01-16T01:30:00Z"),
      // The clock skips from 2:00 to 3:00, so quiet hours until 2:30 end at the change.
      ("22:00", "02:30", "Europe/Berlin", "2027-03-28T00:30:00Z", "2027-03-28T01:00:00Z"),
      // The clock goes back from 3:00 to 2:00.
      ("22:00", "07:00", "Europe/Berlin", "2027-10-31T00:30:00Z", "2027-10-31T06:00:00Z"),
      ("00:00", "23:59", "UTC", "2027-01-15T12:00:00Z", "2027-01-15T23:59:00Z"),
    ] as [(String, String, String, String, String?)]
  )
  func `end at the right time`(from: String, until: String, zone: String, moment: String, end: String?) throws
  {
    let hours = try #require(QuietHours(from: from, until: until))
    let timeZone = try #require(TimeZone(identifier: zone))
    #expect(try hours.end(at: date(moment), in: timeZone) == end.map { try date($0) })
    #expect(hours.fromText == from && hours.untilText == until)
  }

  @Test(arguments: ["", "7:00", "24:00", "12:60", "12", "12:00:00", "ab:cd", "-1:00", "１２:00"])
  func `need two digits for each number`(text: String) {
    #expect(QuietHours(from: text, until: "08:00") == nil)
  }

  @Test func `are off by default`() {
    #expect(PushPreferences().quietUntil(at: Date(timeIntervalSince1970: 0)) == nil)
  }
}
