// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

extension CalendarDate {
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
