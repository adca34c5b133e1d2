// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

extension CalendarDate {
  /// The first moment of the day in UTC.
  var startOfDayInUTC: Date? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: DateComponents(year: year, month: month, day: day))
  }

  /// Reads a date as ISO 8601 writes it, `2026-11-21`; nothing where it is another spelling, or no day.
  init?(iso8601 text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Text(string: String($0)) }
    guard
      parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
      let year = parts[0].number, let month = parts[1].number, let day = parts[2].number
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}
