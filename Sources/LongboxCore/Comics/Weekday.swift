// Longbox
// SPDX-License-Identifier: MIT

/// A day of the week.
public enum Weekday: Int, Sendable {
  /// The first day, as in most calendars of the comics' country.
  case sunday
  /// Monday.
  case monday
  /// Tuesday.
  case tuesday
  /// Wednesday.
  case wednesday
  /// Thursday.
  case thursday
  /// Friday.
  case friday
  /// Saturday.
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

extension CalendarDate {
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
}
