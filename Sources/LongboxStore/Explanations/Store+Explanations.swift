// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

extension Store {
  /// What is stored of the explanation of a comic; nothing where the wiki was never asked.
  public func explanation(of number: Comic.Number) async throws(StoreError) -> StoredExplanation? {
    try await read { database in try ExplanationTable(database: database).explanation(number) }
  }

  /// The explanations whose text came after a change, in the order of the changes.
  /// - Parameters:
  ///   - change: the last one that the caller knows; 0 for all.
  ///   - limit: how many at most. All together are about 20 MB, so take them in parts.
  public func explanations(
    changedSince change: Int,
    limit: Int
  ) async throws(StoreError) -> [StoredExplanation] {
    try await read { database in
      try ExplanationTable(database: database).explanations(changedSince: change, limit: limit)
    }
  }

  /// The number of explanations whose text came after a change.
  public func explanationCount(changedSince change: Int) async throws(StoreError) -> Int {
    try await read { database in try ExplanationTable(database: database).count(changedSince: change) }
  }

  /// How much is stored of the explanations.
  public func explanationTotals() async throws(StoreError) -> ExplanationTotals {
    try await read { database in try ExplanationTable(database: database).totals() }
  }

  /// The comics to ask explain xkcd about next, newest first: those it was never asked about, and those due.
  /// - Parameters:
  ///   - newest: the greatest number to consider.
  ///   - date: the time by which a next look is due; usually now.
  ///   - limit: how many numbers at most.
  public func explanationsToFetch(
    upTo newest: Comic.Number,
    dueBy date: Date,
    limit: Int
  ) async throws(StoreError) -> [Comic.Number] {
    try await read { database in
      try ExplanationTable(database: database).due(upTo: newest, by: date, limit: limit)
    }
  }

  /// When the next look at an explanation that is not due yet will be, or nothing.
  public func nextLookAtExplanation(after date: Date) async throws(StoreError) -> Date? {
    try await read { database in try ExplanationTable(database: database).nextDate(after: date) }
  }

  /// Keeps what explain xkcd said, all in one transaction.
  ///
  /// A page that is stored stays where none came this time. A comic whose own record has no transcript gets a new
  /// revision with a new page, since that is where its transcript comes from.
  /// - Returns: the comics of which there is another text now.
  @discardableResult
  public func save(_ explanations: [FetchedExplanation]) async throws(StoreError) -> [Comic.Number] {
    try await write { database in try ExplanationTable(database: database).save(explanations) }
  }
}
