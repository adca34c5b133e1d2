// Longbox
// SPDX-License-Identifier: MIT

/// What waits until a stored time, and how long it waits at most.
///
/// A time that lies further ahead was stored while the clock was ahead, and doesn't count. Otherwise nothing would happen
/// until then once the clock is right again.
package enum StoredPause: Sendable {
  /// The next request for a part of a comic.
  case fetch(ComicPart)
  /// The next request for an explanation.
  case explanation
  /// The next try of a notification, the end of quiet hours included.
  case notification
  /// The next try of a message to a hook.
  case hook
  /// The end of a node's claim of a notification, by the clock of the database.
  case claim

  private static let day = 24 * 3600

  /// The longest pause in seconds.
  package var longest: Int {
    switch self {
    case .fetch(.record), .fetch(.picture), .hook: Self.day
    case .fetch(.doubleSize), .fetch(.larger), .explanation: 30 * Self.day
    case .notification: 2 * Self.day
    case .claim: Int(AnnouncementStore.claimLease.components.seconds)
    }
  }

  /// The longest pause and a tenth of it, so that a clock that is set back a little causes no rush of requests.
  private var limit: Int { longest + longest / 10 }

  /// SQL that says whether a stored time is too far ahead to count; it is NULL if the time is.
  /// - Parameters:
  ///   - column: the time, in seconds since 1970.
  ///   - now: the time now.
  func isTooFar(_ column: String, at now: String) -> String { "\(column) - \(limit) > \(now)" }

  /// SQL that says whether a pause is over; it is NULL if the time is.
  func isOver(_ column: String, at now: String) -> String {
    "(\(column) <= \(now) OR \(isTooFar(column, at: now)))"
  }
}
