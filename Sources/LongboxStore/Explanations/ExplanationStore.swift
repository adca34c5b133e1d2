// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// The explanations of comics, as explain xkcd sent them.
public struct ExplanationStore: Sendable {
  let store: Store

  /// The stored explanation of a comic; nil if the wiki was never asked.
  public func explanation(of number: Comic.Number) async throws(StoreError) -> StoredExplanation? {
    try await store.read { tables in try tables.explanations.explanation(number) }
  }

  /// The explanations whose text is newer than a change, in the order of the changes.
  /// - Parameters:
  ///   - change: the last change that the caller knows; 0 for all.
  ///   - limit: the most explanations. All of them are about 20 MB, so read them in parts.
  public func explanations(
    changedSince change: Int,
    limit: Int
  ) async throws(StoreError) -> [StoredExplanation] {
    try await store.read { tables in
      try tables.explanations.explanations(changedSince: change, limit: limit)
    }
  }

  /// The number of explanations whose text is newer than a change.
  public func count(changedSince change: Int) async throws(StoreError) -> Int {
    try await store.read { tables in try tables.explanations.count(changedSince: change) }
  }

  /// Counts of the stored explanations.
  public func totals() async throws(StoreError) -> ExplanationTotals {
    try await store.read { tables in try tables.explanations.totals() }
  }

  /// The next comics to ask explain xkcd about, newest first: those never asked about, and those due.
  /// - Parameters:
  ///   - newest: the greatest number to consider.
  ///   - date: the time by which a request is due; usually now.
  ///   - limit: the most numbers.
  public func numbersToFetch(
    upTo newest: Comic.Number,
    dueBy date: Date,
    limit: Int
  ) async throws(StoreError) -> [Comic.Number] {
    try await store.read { tables in
      try tables.explanations.due(upTo: newest, by: date, limit: limit)
    }
  }

  /// When the next explanation becomes due after a date, or nil.
  public func nextFetch(after date: Date) async throws(StoreError) -> Date? {
    try await store.read { tables in try tables.explanations.nextDate(after: date) }
  }

  /// Stores answers of explain xkcd in one transaction.
  ///
  /// An answer without a page keeps the stored page. A changed page gives its comic a new revision, because the topics
  /// and many transcripts come from the page.
  /// - Returns: the comics whose text has changed.
  @discardableResult
  public func save(_ explanations: [FetchedExplanation]) async throws(StoreError) -> [Comic.Number] {
    try await store.write { tables in try tables.explanations.save(explanations) }
  }
}
