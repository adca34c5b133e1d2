// Longbox
// SPDX-License-Identifier: MIT

package import Foundation
package import LongboxCore

extension CalendarDate {
  /// Midnight UTC at the start of the day.
  package var startOfDayInUTC: Date? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: DateComponents(year: year, month: month, day: day))
  }
}
