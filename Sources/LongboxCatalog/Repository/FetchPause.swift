// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// How long Longbox waits before it asks a source for the same thing again, in seconds.
enum FetchPause {
  /// A week: after that a comic is settled.
  static let week: TimeInterval = 7 * 24 * 3600
  /// Between two looks at a comic that is not settled.
  static let lookAgain: TimeInterval = 6 * 3600
  /// After the source has said that there is no such comic or picture.
  static let absent: TimeInterval = 24 * 3600
  /// After the source has said that there is no picture of twice the resolution.
  static let absentDoubleSize: TimeInterval = 30 * 24 * 3600

  /// After a failure that may be the comic's own: five minutes, doubled each time, up to a day.
  static func afterFailure(attempts: Int) -> TimeInterval {
    min(300 * pow(2, Double(min(max(attempts, 0), 10))), 24 * 3600)
  }
}

extension CalendarDate {
  /// The first moment of the day in UTC.
  var startOfDay: Date? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: DateComponents(year: year, month: month, day: day))
  }
}
