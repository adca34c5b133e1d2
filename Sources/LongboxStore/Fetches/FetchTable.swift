// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// How the fetches of comics' parts went.
protocol FetchTable {
  func status(_ part: ComicPart, of number: Comic.Number) throws -> FetchStatus
  func failures() throws -> [FetchStatus]
  func noteFetched(_ part: ComicPart, of number: Comic.Number, lookAgain: Date?) throws
  func noteAbsent(_ part: ComicPart, of number: Comic.Number, lookAgain: Date?) throws

  /// Counts a failed try; a stored part stays `fetched`.
  func noteFailure(_ part: ComicPart, of number: Comic.Number, reason: String, nextTry: Date?) throws

  /// Resets a comic's failed and absent parts.
  func forget(_ number: Comic.Number) throws

  /// Resets one part of a comic.
  func forget(_ part: ComicPart, of number: Comic.Number) throws

  func due(_ part: ComicPart, upTo newest: Comic.Number, by date: Date, limit: Int) throws
    -> [Comic.Number]
  func nextDate(_ part: ComicPart, after date: Date) throws -> Date?
  func progress(_ part: ComicPart, upTo newest: Comic.Number) throws -> FetchProgress
}

enum FetchLimits {
  /// The longest stored reason in characters, so that a source's text can't fill the database.
  static let reasonLength = 500
}

/// The check for a new comic: one row.
protocol NewestCheckTable {
  func check() throws -> NewestCheck?
  func put(_ check: NewestCheck) throws
}
