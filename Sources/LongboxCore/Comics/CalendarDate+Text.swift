// Longbox
// SPDX-License-Identifier: MIT

extension CalendarDate {
  /// The date in ISO 8601: `2007-12-05`.
  public var iso8601: Text {
    Text(year, digits: 4) + "-" + Text(month, digits: 2) + "-" + Text(day, digits: 2)
  }

  /// The date in words: `5 December 2007`.
  public var spelled: Text { DayOfYear(self).spelled + " " + Text(decimal: year) }
}

extension DayOfYear {
  private static let months: [StaticString] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November",
    "December",
  ]

  /// The day in words: `5 December`.
  public var spelled: Text { Text(decimal: day) + " " + Text(stringLiteral: Self.months[month - 1]) }
}
