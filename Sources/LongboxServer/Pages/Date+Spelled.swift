// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

extension Date {
  /// The date to the minute in UTC, such as "21 November 2026, 07:25 UTC".
  var spelledInUTC: String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: self)
    guard
      let year = parts.year, let month = parts.month, let day = parts.day, let hour = parts.hour,
      let minute = parts.minute, let date = CalendarDate(year: year, month: month, day: day)
    else { return "" }
    return "\(date.spelled), \(Text(hour, digits: 2)):\(Text(minute, digits: 2)) UTC"
  }
}
