// Longbox
// SPDX-License-Identifier: MIT

extension CalendarDate {
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

extension DayOfYear {
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
