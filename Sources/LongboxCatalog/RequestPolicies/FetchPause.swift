// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// How long Longbox waits before it asks xkcd for the same thing again, in seconds.
enum FetchPause {
  /// Between two checks of a comic that may still change.
  static let lookAgain: TimeInterval = 6 * 3600
  /// After the source says that there is no such comic or picture.
  static let absent: TimeInterval = 24 * 3600
  /// After the source says that there is no double-size picture, or no larger version.
  static let absentExtra: TimeInterval = 30 * 24 * 3600

  /// After a failure that the comic itself may cause: five minutes, doubled each time, up to a day.
  static func afterFailure(attempts: Int) -> TimeInterval {
    min(300 * pow(2, Double(min(max(attempts, 0), 10))), 24 * 3600)
  }
}
