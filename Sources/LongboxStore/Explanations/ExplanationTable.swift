// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// What explain xkcd says.
protocol ExplanationTable {
  func explanation(_ number: Comic.Number) throws -> StoredExplanation?
  func explanations(changedSince change: Int, limit: Int) throws -> [StoredExplanation]
  func count(changedSince change: Int) throws -> Int
  func totals() throws -> ExplanationTotals
  func due(upTo newest: Comic.Number, by date: Date, limit: Int) throws -> [Comic.Number]
  func nextDate(after date: Date) throws -> Date?

  /// Stores answers; a comic whose transcript or topics may have changed gets a new revision.
  /// - Returns: the comics whose text has changed.
  func save(_ explanations: [FetchedExplanation]) throws -> [Comic.Number]
}

extension StoredExplanation.Outcome {
  init(_ outcome: FetchedExplanation.Outcome) {
    self =
      switch outcome {
      case .page: .page
      case .missing: .missing
      case .tooLong: .tooLong
      case .failed: .failed
      }
  }
}
