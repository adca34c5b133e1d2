// Longbox
// SPDX-License-Identifier: MIT

/// A time in a header field of HTTP, in whole seconds: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package struct HTTPDate: Equatable, Sendable {
  /// Seconds since 1970-01-01 UTC; negative before.
  package let seconds: Int64

  /// The last second of the year 9999.
  private static let last: Int64 = 253_402_300_799

  /// Creates a date.
  /// - Parameter seconds: seconds since 1970-01-01 UTC.
  package init(seconds: Int64) {
    self.seconds = seconds
  }

  /// Parses the preferred format; nil for the obsolete ones and for an invalid date.
  ///
  /// The weekday isn't checked.
  package init?(_ text: Text) {
    let parts = text.bytes.split(separator: UInt8(ascii: " "))
    guard parts.count == 6, Text(parts[5]) == "GMT", let day = Text(parts[1]).number,
      let month = (1...12).first(where: { Self.name(ofMonth: $0) == Text(parts[2]) }),
      let year = Text(parts[3]).number, let date = CalendarDate(year: year, month: month, day: day)
    else { return nil }
    let time = parts[4].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard time.count == 3, let hour = Text(time[0]).number, let minute = Text(time[1]).number,
      let second = Text(time[2]).number, hour < 24, minute < 60, second < 60
    else { return nil }
    seconds = Int64(date.daysSince1970) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
  }

  /// The date in the preferred format; the nearest second from 1970 to 9999.
  package var text: Text {
    let seconds = min(max(seconds, 0), Self.last)
    guard let date = CalendarDate(time: UInt64(seconds) * 1000) else { return .empty }
    let second = Int(seconds % 86_400)
    let weekday = Text(date.weekday.name.bytes.prefix(3))
    let day =
      Text(date.day, digits: 2) + " " + Self.name(ofMonth: date.month) + " " + Text(date.year, digits: 4)
    let minutes = Text(second / 3600, digits: 2) + ":" + Text(second / 60 % 60, digits: 2)
    let time = minutes + ":" + Text(second % 60, digits: 2)
    return weekday + ", " + day + " " + time + " GMT"
  }

  /// The first three letters of a month, which English and HTTP share.
  private static func name(ofMonth month: Int) -> Text {
    Text(DayOfYear.name(ofMonth: month).bytes.prefix(3))
  }
}
