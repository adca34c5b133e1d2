// Longbox
// SPDX-License-Identifier: MIT

import Foundation

extension HeaderFields {
  /// The wait that `Retry-After` asks for (RFC 9110 section 10.2.3): a number of seconds or a date.
  /// - Parameter now: the time. A date in the past means no wait.
  /// - Returns: at most a day; nil if the field is missing or unreadable.
  func retryAfter(now: Date) -> Duration? {
    guard let value = self["Retry-After"]?.trimmingCharacters(in: .whitespaces) else { return nil }
    let day = 86_400.0
    if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds(min(Double(value) ?? day, day))
    }
    guard let date = Date(httpDate: value) else { return nil }
    return .seconds(min(max(date.timeIntervalSince(now).rounded(.up), 0), day))
  }
}

extension Date {
  /// Parses the usual date format (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
  fileprivate init?(httpDate: String) {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let parts = httpDate.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(where: { $0 == parts[2] }) else {
      return nil
    }
    let time = parts[4].split(separator: ":").compactMap { Int($0) }
    guard let day = Int(parts[1]), let year = Int(parts[3]), time.count == 3 else { return nil }
    let components = DateComponents(
      calendar: Calendar(identifier: .gregorian),
      timeZone: .gmt,
      year: year,
      month: month + 1,
      day: day,
      hour: time[0],
      minute: time[1],
      second: time[2]
    )
    guard components.isValidDate, let date = components.date else { return nil }
    self = date
  }
}
