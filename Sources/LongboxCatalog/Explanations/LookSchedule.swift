// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore

/// When explain xkcd is asked about a comic again: soon about new ones, whose pages are written in their first days,
/// and seldom about settled ones.
enum LookSchedule {
  /// The newest comics, whose pages change by the hour.
  static let newestCount = 10

  private static let hour: TimeInterval = 3600
  private static let day: TimeInterval = 24 * hour

  /// The pause after an answer, in seconds.
  /// - Parameters:
  ///   - outcome: what came.
  ///   - isIncomplete: whether the page says that it is not complete.
  ///   - isNew: whether the comic is one of the newest.
  static func pause(
    after outcome: StoredExplanation.Outcome,
    isIncomplete: Bool = false,
    isNew: Bool
  ) -> TimeInterval {
    switch outcome {
    case .failed: return day
    case _ where isNew: return 6 * hour
    case .missing: return 7 * day
    case .page: return isIncomplete ? 7 * day : 30 * day
    case .tooLong: return 30 * day
    }
  }
}
