// Longbox
// SPDX-License-Identifier: MIT

/// A day that recurs each year, such as 21 November.
public struct DayOfYear: Equatable, Sendable {
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int

  /// The day of a date.
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
}
