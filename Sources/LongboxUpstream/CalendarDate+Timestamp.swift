// Longbox
// SPDX-License-Identifier: MIT

package import LongboxCore

extension CalendarDate {
  /// The day of a time as sources write it: `2024-05-03T10:00:00Z`.
  package init?(timestamp: String) {
    let parts = timestamp.prefix(10).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
    self.init(year: year, month: month, day: day)
  }
}
