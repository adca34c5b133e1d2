// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// The schedule of checks for a new comic.
///
/// 99.4 % of the comics since 2013 came on a Monday, Wednesday or Friday. Longbox asks every 15 minutes on
/// those days from 04 to 16 UTC, else hourly, with jitter.
public struct PollSchedule: Sendable {
  /// The pause in seconds on the days and hours of publication.
  static let often: TimeInterval = 15 * 60
  /// The pause in seconds at other times.
  static let seldom: TimeInterval = 60 * 60

  /// A pause in seconds that replaces both, for tests.
  private let fixed: TimeInterval?

  /// Makes the schedule.
  /// - Parameter interval: a pause in seconds that replaces the usual ones, for development and tests.
  public init(every interval: TimeInterval? = nil) {
    fixed = interval
  }

  /// The time of the next look.
  /// - Parameters:
  ///   - date: the time of the last look.
  ///   - jitter: 0 up to 1; adds up to a tenth of the pause.
  public func next(after date: Date, jitter: Double) -> Date {
    let pause = fixed ?? (Self.isLikely(date) ? Self.often : min(Self.seldom, Self.untilLikely(date)))
    return date.addingTimeInterval(pause * (1 + jitter / 10))
  }

  /// The latest time of the next look, whatever the clock was before.
  func latest(after date: Date) -> Date {
    date.addingTimeInterval((fixed ?? Self.seldom) * 1.1)
  }

  static func isLikely(_ date: Date) -> Bool {
    let parts = utc.dateComponents([.weekday, .hour], from: date)
    // Foundation counts weekdays from Sunday, 1.
    guard let weekday = parts.weekday, let hour = parts.hour, [2, 4, 6].contains(weekday) else {
      return false
    }
    return (4..<16).contains(hour)
  }

  /// The seconds until the next likely hour, at most an hour.
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
