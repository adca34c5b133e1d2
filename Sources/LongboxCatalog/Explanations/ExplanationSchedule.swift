// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore

/// When to ask explain xkcd about a comic again: soon for new comics, whose pages still change, else rarely.
enum ExplanationSchedule {
  /// How many comics count as new; their pages change by the hour.
  static let newestCount = 10

  private static let hour: TimeInterval = 3600
  private static let day: TimeInterval = 24 * hour

  /// The pause after a reply, in seconds.
  /// - Parameters:
  ///   - outcome: the result of the last request.
  ///   - isIncomplete: whether the page is marked as incomplete.
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
