// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// When to look for a new comic.
///
/// 99.4 % of the comics since 2013 came on a Monday, Wednesday or Friday; so it is asked each 15 minutes on those days
/// from 04 to 16 UTC, and hourly at all other times, never to the minute.
public struct PollSchedule: Sendable {
  /// The pause on the days and hours of publication, in seconds.
  static let often: TimeInterval = 15 * 60
  /// The pause otherwise, in seconds.
  static let seldom: TimeInterval = 60 * 60

  /// A pause that a test sets in place of both, in seconds.
  private let fixed: TimeInterval?

  /// Makes the schedule.
  /// - Parameter interval: a pause in seconds in place of the usual ones, for development and tests.
  public init(every interval: TimeInterval? = nil) {
    fixed = interval
  }

  /// The next time to look.
  /// - Parameters:
  ///   - date: when the last look was.
  ///   - chance: 0 up to 1; moves the time by up to a tenth of the pause, later.
  public func next(after date: Date, chance: Double) -> Date {
    let pause = fixed ?? (Self.isLikely(date) ? Self.often : min(Self.seldom, Self.untilLikely(date)))
    return date.addingTimeInterval(pause * (1 + chance / 10))
  }

  /// Whether a comic is likely to come out in this hour.
  static func isLikely(_ date: Date) -> Bool {
    let parts = utc.dateComponents([.weekday, .hour], from: date)
    // In Foundation's Gregorian calendar Sunday is 1.
    guard let weekday = parts.weekday, let hour = parts.hour, [2, 4, 6].contains(weekday) else {
      return false
    }
    return (4..<16).contains(hour)
  }

  /// The seconds until the next hour that is likely, where that is less than an hour away.
  private static func untilLikely(_ date: Date) -> TimeInterval {
    let inAnHour = date.addingTimeInterval(seldom)
    guard isLikely(inAnHour), let start = utc.dateInterval(of: .hour, for: inAnHour)?.start else {
      return seldom
    }
    return max(start.timeIntervalSince(date), 1)
  }

  private static var utc: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }
}
