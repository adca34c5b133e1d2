// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

struct CalendarDateTests {
  @Test(arguments: [(2024, 2, 29), (2000, 2, 29), (2006, 1, 1), (2026, 12, 31)])
  func `accept days that exist`(year: Int, month: Int, day: Int) {
    #expect(CalendarDate(year: year, month: month, day: day) != nil)
  }

  @Test(arguments: [
    (2023, 2, 29), (1900, 2, 29), (2006, 0, 1), (2006, 13, 1), (2006, 4, 31), (0, 1, 1), (2006, 1, 0),
  ])
  func `reject days that do not exist`(year: Int, month: Int, day: Int) {
    #expect(CalendarDate(year: year, month: month, day: day) == nil)
  }

  @Test(
    arguments: [
      (0, "1970-01-01"), (86_399_999, "1970-01-01"), (86_400_000, "1970-01-02"),
      (951_782_400_000, "2000-02-29"),
      (951_868_800_000, "2000-03-01"), (1_763_683_200_000, "2025-11-21"), (4_107_542_399_999, "2100-02-28"),
      (4_107_542_400_000, "2100-03-01"), (253_402_300_799_999, "9999-12-31"),
    ] as [(UInt64, String)]
  )
  func `is computed from a time`(time: UInt64, date: String) {
    #expect(CalendarDate(time: time)?.iso8601.description == date)
  }

  @Test(
    arguments: [
      (1970, 1, 1, .thursday), (2000, 2, 29, .tuesday), (2000, 3, 1, .wednesday), (2026, 11, 22, .sunday),
      (2026, 11, 28, .saturday), (2100, 2, 28, .sunday), (2100, 3, 1, .monday), (9999, 12, 31, .friday),
    ] as [(Int, Int, Int, Weekday)]
  )
  func `has a weekday`(year: Int, month: Int, day: Int, weekday: Weekday) throws {
    #expect(try #require(CalendarDate(year: year, month: month, day: day)).weekday == weekday)
  }

  @Test func `follows the day before, for four hundred years`() throws {
    var date = try #require(CalendarDate(time: 0))
    for day in 1...146_097 {
      let next = try #require(CalendarDate(time: UInt64(day) * 86_400_000))
      let isSameMonth = next.year == date.year && next.month == date.month
      #expect(isSameMonth ? next.day == date.day + 1 : next.day == 1 && next > date)
      #expect(next.daysSince1970 == day)
      if !isSameMonth { #expect(date.day == CalendarDate.days(inMonth: date.month, ofYear: date.year)) }
      date = next
    }
  }

  @Test func `is counted from 1970, also before`() throws {
    #expect(try #require(CalendarDate(year: 1969, month: 12, day: 31)).daysSince1970 == -1)
    #expect(try #require(CalendarDate(year: 1, month: 1, day: 1)).daysSince1970 == -719_162)
  }

  @Test func `is parsed from ISO 8601`() {
    let date = CalendarDate(year: 2024, month: 5, day: 3)
    #expect(CalendarDate(iso8601: "2024-05-03") == date)
    #expect(CalendarDate(timestamp: "2024-05-03T10:00:00Z") == date)
  }

  @Test(arguments: [
    "", "2024", "2024-5-3", "24-05-03", "2024-02-30", "2024-05-03T", "+024-05-03", "2024/05/03",
  ])
  func `is rejected if it is spelled differently or doesn't exist`(text: String) {
    #expect(CalendarDate(iso8601: Text(string: text)) == nil)
  }

  @Test(arguments: [253_402_300_800_000, 1 << 48, .max] as [UInt64])
  func `does not exist after the year 9999`(time: UInt64) {
    #expect(CalendarDate(time: time) == nil)
  }

  @Test(arguments: [("11-21", "21 November"), ("02-29", "29 February"), ("01-01", "1 January")])
  func `of the year is parsed and spelled`(text: String, spelled: String) throws {
    let day = try #require(DayOfYear(Text(string: text)))
    #expect(day.text.description == text)
    #expect(day.spelled.description == spelled)
  }

  @Test(arguments: [
    "", "-", "1-1", "13-01", "00-01", "02-30", "11-00", "2007-11-21", "11-21-", "1a-21", "+1-21",
  ])
  func `of the year is rejected if no year has it`(text: String) {
    #expect(DayOfYear(Text(string: text)) == nil)
  }
}
