// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

extension CalendarDate {
  /// Midnight UTC at the start of the day.
  var startOfDayInUTC: Date? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: DateComponents(year: year, month: month, day: day))
  }

  /// Parses an ISO 8601 date such as `2026-11-21`; nil for any other spelling or an invalid date.
  init?(iso8601 text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Text(string: String($0)) }
    guard
      parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
      let year = parts[0].number, let month = parts[1].number, let day = parts[2].number
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}
