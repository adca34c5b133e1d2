// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// How the fetches of comics' things went.
protocol FetchTable {
  func status(_ thing: FetchedThing, of number: Comic.Number) throws -> FetchStatus
  func failures() throws -> [FetchStatus]
  func noteFetched(_ thing: FetchedThing, of number: Comic.Number, lookAgain: Date?) throws
  func noteAbsent(_ thing: FetchedThing, of number: Comic.Number, lookAgain: Date?) throws

  /// Counts a failed try; a stored thing stays `fetched`.
  func noteFailure(_ thing: FetchedThing, of number: Comic.Number, reason: String, nextTry: Date?) throws

  /// Resets a comic's failed and absent things.
  func forget(_ number: Comic.Number) throws

  /// Resets one thing of a comic.
  func forget(_ thing: FetchedThing, of number: Comic.Number) throws

  func due(_ thing: FetchedThing, upTo newest: Comic.Number, by date: Date, limit: Int) throws
    -> [Comic.Number]
  func nextDate(_ thing: FetchedThing, after date: Date) throws -> Date?
  func progress(_ thing: FetchedThing, upTo newest: Comic.Number) throws -> FetchProgress
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
