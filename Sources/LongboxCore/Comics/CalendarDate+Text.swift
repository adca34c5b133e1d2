// Longbox
// SPDX-License-Identifier: MIT

extension CalendarDate {
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
}

extension DayOfYear {
  private static let months: [StaticString] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November",
    "December",
  ]

  /// The day in words: `5 December`.
  public var spelled: Text { Text(decimal: day) + " " + Self.name(ofMonth: month) }

  /// The English name of a month, 1 to 12.
  static func name(ofMonth month: Int) -> Text { Text(stringLiteral: months[month - 1]) }
}
