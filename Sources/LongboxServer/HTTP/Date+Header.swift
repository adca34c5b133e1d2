// Longbox
// SPDX-License-Identifier: MIT

import Foundation

extension Date {
  private static var days: [String] { ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] }
  private static var months: [String] {
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  }

  /// The date for a header field, such as `Sat, 21 Nov 2026 10:56:45 GMT` (RFC 9110, section 5.6.7).
  var inHeader: String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second, .weekday], from: self)
    guard
      let weekday = parts.weekday, let day = parts.day, let month = parts.month, let year = parts.year,
      let hour = parts.hour, let minute = parts.minute, let second = parts.second
    else { return "" }
    let time = [hour, minute, second].map(Self.twoDigits).joined(separator: ":")
    return "\(Self.days[weekday - 1]), \(Self.twoDigits(day)) \(Self.months[month - 1]) \(year) \(time) GMT"
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
