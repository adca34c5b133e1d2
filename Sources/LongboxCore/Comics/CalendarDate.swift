// Longbox
// SPDX-License-Identifier: MIT

/// A day of the Gregorian calendar, without time or time zone.
public struct CalendarDate: Hashable, Comparable, Sendable {
  /// The year, 1 to 9999.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int

  /// Creates a date; nil if the calendar has no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    guard day <= Self.days(inMonth: month, ofYear: year) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// The number of days in a month.
  /// - Parameters:
  ///   - month: 1 to 12.
  ///   - year: determines whether 29 February exists.
  public static func days(inMonth month: Int, ofYear year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Converts a time to its day in UTC; nil after the year 9999.
  ///
  /// Years begin in March in the calculation, so that the leap day is the last day (Howard Hinnant,
  /// "chrono-Compatible Low-Level Date Algorithms", civil_from_days).
  /// - Parameter time: milliseconds since 1970-01-01 UTC.
  public init?(time: UInt64) {
    let days = time / 86_400_000
    guard days < 3_000_000 else { return nil }
    let sinceMarchOfYear0 = Int(days) + 719_468
    let era = sinceMarchOfYear0 / 146_097
    let dayOfEra = sinceMarchOfYear0 % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
      month: month,
      day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  /// The days since 1970-01-01, negative before (Hinnant's days_from_civil).
  package var daysSince1970: Int {
    let (year, monthFromMarch) = month > 2 ? (self.year, month - 3) : (self.year - 1, month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }

  /// The day of the week, by Zeller's congruence: years begin in March, so that the leap day is the last day.
  public var weekday: Weekday {
    let (year, month) = month < 3 ? (year - 1, month + 12) : (year, month)
    let sinceSaturday = (day + 13 * (month + 1) / 5 + year + year / 4 - year / 100 + year / 400) % 7
    return Weekday(rawValue: (sinceSaturday + 6) % 7) ?? .sunday
  }

  /// The weekday on which the comic after one of this date is expected: xkcd appears on Mondays, Wednesdays and Fridays.
  public var nextPublication: Weekday {
    switch weekday {
    case .monday, .tuesday: .wednesday
    case .wednesday, .thursday: .friday
    case .friday, .saturday, .sunday: .monday
    }
  }

  /// Parses an ISO 8601 date such as `2026-11-21`; nil for any other spelling or an invalid date.
  package init?(iso8601 text: Text) {
    let parts = text.bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
      let year = Text(parts[0]).number, let month = Text(parts[1]).number, let day = Text(parts[2]).number
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The day of a time in ISO 8601, such as `2024-05-03T10:00:00Z`; nil if the time doesn't begin with a date.
  package init?(timestamp text: Text) {
    self.init(iso8601: Text(text.bytes.prefix(10)))
  }

  /// The date in ISO 8601: `2007-12-05`.
  public var iso8601: Text {
    Text(year, digits: 4) + "-" + Text(month, digits: 2) + "-" + Text(day, digits: 2)
  }

  /// The date in words: `5 December 2007`.
  public var spelled: Text { DayOfYear(self).spelled + " " + Text(decimal: year) }

  /// The day of the year, 0 for 1 January.
  private var dayOfYear: Int {
    var days = day - 1
    for earlier in 1..<month { days += Self.days(inMonth: earlier, ofYear: year) }
    return days
  }

  /// The week of the year, 0 for the one with 1 January, and the weekday, 0 for Monday.
  package var weekOfYear: (week: Int, weekday: Int) {
    // `Weekday` begins on Sunday.
    let weekday = (self.weekday.rawValue + 6) % 7
    let ofFirst = (weekday - dayOfYear % 7 + 7) % 7
    return ((dayOfYear + ofFirst) / 7, weekday)
  }
}

public enum Weekday: Int, Sendable {
  /// The first day, as in most calendars of the comics' country.
  case sunday
  case monday
  case tuesday
  case wednesday
  case thursday
  case friday
  case saturday

  /// The English name.
  public var name: Text {
    switch self {
    case .sunday: "Sunday"
    case .monday: "Monday"
    case .tuesday: "Tuesday"
    case .wednesday: "Wednesday"
    case .thursday: "Thursday"
    case .friday: "Friday"
    case .saturday: "Saturday"
    }
  }
}

/// A day that recurs each year, such as 21 November.
public struct DayOfYear: Equatable, Sendable {
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int

  public init(_ date: CalendarDate) {
    month = date.month
    day = date.day
  }

  /// Parses `11-21`, including `02-29`; nil if no year has that day.
  public init?(_ text: Text) {
    let parts = text.bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count == 2, parts[1].count == 2,
      let month = Text(parts[0]).number, let day = Text(parts[1]).number,
      let date = CalendarDate(year: 2000, month: month, day: day)
    else { return nil }
    self.init(date)
  }

  /// The day as in an address: `11-21`.
  public var text: Text { Text(month, digits: 2) + "-" + Text(day, digits: 2) }

  private static let months: [StaticString] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November",
    "December",
  ]

  /// The day in words: `5 December`.
  public var spelled: Text { Text(decimal: day) + " " + Self.name(ofMonth: month) }

  /// The English name of a month, 1 to 12.
  static func name(ofMonth month: Int) -> Text { Text(stringLiteral: months[month - 1]) }

  /// The next day, with 29 February.
  package var next: DayOfYear { moved(by: 1) }

  /// The day before, with 29 February.
  package var previous: DayOfYear { moved(by: -1) }

  private func moved(by step: Int) -> DayOfYear {
    var (month, day) = (month, day + step)
    // 2000 is a leap year.
    if day < 1 {
      month = month == 1 ? 12 : month - 1
      day = CalendarDate.days(inMonth: month, ofYear: 2000)
    } else if day > CalendarDate.days(inMonth: month, ofYear: 2000) {
      month = month == 12 ? 1 : month + 1
      day = 1
    }
    return CalendarDate(year: 2000, month: month, day: day).map { DayOfYear($0) } ?? self
  }
}
