// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import Testing
import TestSupport

@testable import LongboxServer

@Suite("A re-run") struct RerunTests {
  private static let start = CalendarDate(year: 2027, month: 1, day: 15)
  private static let beginning = SettableTime.start - 12 * 3600

  private func rerun(from first: Int, perDay: Int = 1) throws -> Rerun {
    let start = try #require(Self.start)
    return try #require(Rerun(from: Comic.Number(of: first), start: start, perDay: perDay))
  }

  private func comics(
    _ rerun: Rerun,
    after seconds: TimeInterval,
    upTo latest: Int = 3000,
    before: Int? = nil,
    limit: Int = 20
  ) -> [Int] {
    rerun.comics(
      at: Self.beginning + seconds,
      upTo: Comic.Number(of: latest),
      before: before.map { Comic.Number(of: $0) },
      limit: limit
    )
    .map(\.value)
  }

  @Test(
    arguments: [
      (-1.0, []), (0, [1]), (86_399, [1]), (86_400, [2, 1]), (3 * 86_400, [4, 3, 2, 1]),
    ] as [(TimeInterval, [Int])]
  )
  func `publishes a comic each day from its first day on`(seconds: TimeInterval, numbers: [Int]) throws {
    #expect(comics(try rerun(from: 1), after: seconds) == numbers)
  }

  @Test func `can publish several a day, the later ones first in the feed`() throws {
    let rerun = try rerun(from: 10, perDay: 3)
    #expect(comics(rerun, after: 0) == [12, 11, 10])
    #expect(comics(rerun, after: 86_400) == [15, 14, 13, 12, 11, 10])
    let dates = [10, 11, 12, 13].map {
      rerun.date(of: Comic.Number(of: $0)).timeIntervalSince(Self.beginning)
    }
    #expect(dates == [0, 1, 2, 86_400])
  }

  @Test func `skips comic 404 without losing a day`() throws {
    let rerun = try rerun(from: 402)
    #expect(comics(rerun, after: 3 * 86_400) == [406, 405, 403, 402])
    #expect(rerun.date(of: Comic.Number(of: 405)) == Self.beginning + 2 * 86_400)
  }

  @Test func `ends with the newest comic`() throws {
    #expect(comics(try rerun(from: 1), after: 400 * 86_400, upTo: 5) == [5, 4, 3, 2, 1])
    #expect(comics(try rerun(from: 5), after: 0, upTo: 4) == [])
  }

  @Test func `has the newest comics, and older ones before a given one`() throws {
    let rerun = try rerun(from: 1)
    #expect(comics(rerun, after: 30 * 86_400, limit: 3) == [31, 30, 29])
    #expect(comics(rerun, after: 30 * 86_400, before: 29, limit: 3) == [28, 27, 26])
    #expect(comics(rerun, after: 30 * 86_400, before: 2, limit: 3) == [1])
    #expect(comics(rerun, after: 30 * 86_400, before: 1, limit: 3) == [])
  }

  @Test(arguments: [
    ("0", "2027-01-15", "from"), ("404", "2027-01-15", "from"), ("x", "2027-01-15", "from"),
    ("7", "2027-01-15", "from"), ("01", "2027-01-15", "from"), ("1", "2027-1-15", "start"),
    ("1", "2027-02-30", "start"), ("1", "tomorrow", "start"), ("1", "", "start"),
    ("1", "2028-02-15", "start"), ("1", "9999-12-31", "start"),
  ])
  func `names the wrong field of the input`(first: String, start: String, parameter: String) {
    #expect {
      try Rerun(from: first, start: start, perDay: 1, upTo: Comic.Number(of: 6), at: SettableTime.start)
    } throws: { error in
      (error as? RerunError)?.parameter == parameter
    }
  }

  @Test(arguments: ["2006-01-01", "2027-01-15", "2028-01-10"])
  func `may start in the past, or within a year`(start: String) throws {
    let latest = Comic.Number(of: 500)
    let rerun = try Rerun(from: "405", start: start, perDay: 2, upTo: latest, at: SettableTime.start)
    #expect(rerun.start.iso8601.description == start)
    #expect(rerun.first.value == 405 && rerun.perDay == 2)
  }
}
