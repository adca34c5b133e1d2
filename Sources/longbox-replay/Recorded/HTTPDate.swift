// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Dates in HTTP headers, such as `Fri, 07 Aug 2026 04:00:00 GMT` (RFC 9110, section 5.6.7).
enum HTTPDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  static func text(of date: Date) -> String {
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
    let day = days[(parts.weekday ?? 1) - 1]
    let month = months[(parts.month ?? 1) - 1]
    let time = [parts.hour, parts.minute, parts.second].map { padded($0 ?? 0, to: 2) }.joined(separator: ":")
    return "\(day), \(padded(parts.day ?? 1, to: 2)) \(month) \(padded(parts.year ?? 0, to: 4)) \(time) GMT"
  }

  /// Parses a header's date; nil unless it has the current format.
  static func date(in text: String) -> Date? {
    guard let match = text.wholeMatch(of: /\w{3}, (\d{2}) (\w{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT/),
      let month = months.firstIndex(of: String(match.2))
    else { return nil }
    return calendar.date(
      from: DateComponents(
        year: Int(match.3),
        month: month + 1,
        day: Int(match.1),
        hour: Int(match.4),
        minute: Int(match.5),
        second: Int(match.6)
      )
    )
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()
}
