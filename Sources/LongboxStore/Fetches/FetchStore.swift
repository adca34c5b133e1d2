// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// What was fetched of each comic, what failed, and what is due.
public struct FetchStore: Sendable {
  let store: Store

  /// The state of fetching one part of a comic.
  public func status(of part: ComicPart, of number: Comic.Number) async throws(StoreError) -> FetchStatus {
    try await store.read { tables in try tables.fetches.status(part, of: number) }
  }

  /// The next comics to fetch something of, newest first: those never tried, and those whose next try is due.
  ///
  /// Records: all numbers up to the newest except 404. Pictures: comics whose record is stored. Double-size
  /// pictures and larger versions: comics whose picture was fetched.
  /// - Parameters:
  ///   - part: what to fetch.
  ///   - newest: the greatest number to consider.
  ///   - date: the time by which a try is due; usually now.
  ///   - limit: the most numbers.
  public func numbersToFetch(
    _ part: ComicPart,
    upTo newest: Comic.Number,
    dueBy date: Date,
    limit: Int
  ) async throws(StoreError) -> [Comic.Number] {
    try await store.read { tables in
      try tables.fetches.due(part, upTo: newest, by: date, limit: limit)
    }
  }

  /// When the next try becomes due after a date, or nil.
  public func nextTry(of part: ComicPart, after date: Date) async throws(StoreError) -> Date? {
    try await store.read { tables in try tables.fetches.nextDate(part, after: date) }
  }

  /// Counts comics by the state of one part.
  /// - Parameters:
  ///   - part: what is fetched.
  ///   - newest: the greatest number to count; 404 is not counted.
  public func progress(
    of part: ComicPart,
    upTo newest: Comic.Number
  ) async throws(StoreError) -> FetchProgress {
    try await store.read { tables in try tables.fetches.progress(part, upTo: newest) }
  }

  /// All failed fetches with their reasons, newest comic first.
  public func failures() async throws(StoreError) -> [FetchStatus] {
    try await store.read { tables in try tables.fetches.failures() }
  }

  /// Notes that the source lacks a part; a missing double-size picture or larger version changes the comic's facts.
  /// - Parameters:
  ///   - part: what is missing.
  ///   - number: the comic.
  ///   - lookAgain: when to ask again, or nil.
  public func noteAbsent(
    _ part: ComicPart,
    of number: Comic.Number,
    lookAgain: Date?
  ) async throws(StoreError) {
    try await store.write { tables in
      try tables.fetches.noteAbsent(part, of: number, lookAgain: lookAgain)
      let isChanged =
        switch part {
        case .record, .picture: false
        case .doubleSize: try tables.pictures.put(.absent, of: number)
        case .larger: try tables.pictures.put(larger: .absent, of: number)
        }
      if isChanged { try tables.comics.noteChange(of: number) }
    }
  }

  /// Notes that a try failed; a stored part stays, and counts as fetched.
  /// - Parameters:
  ///   - part: what could not be fetched.
  ///   - number: the comic.
  ///   - reason: a sentence for the reader; at most 500 characters are stored.
  ///   - nextTry: when to try again, or nil.
  public func noteFailure(
    _ part: ComicPart,
    of number: Comic.Number,
    reason: String,
    nextTry: Date?
  ) async throws(StoreError) {
    try await store.write { tables in
      try tables.fetches.noteFailure(part, of: number, reason: reason, nextTry: nextTry)
    }
  }

  /// Resets a comic's failed and absent parts, so that they are due at once.
  public func forgetFailures(of number: Comic.Number) async throws(StoreError) {
    try await store.write { tables in try tables.fetches.forget(number) }
  }

  /// Makes one part of a comic due at once, whatever its state; a stored part stays until then.
  public func fetchAgain(_ part: ComicPart, of number: Comic.Number) async throws(StoreError) {
    try await store.write { tables in try tables.fetches.forget(part, of: number) }
  }

  /// The result of the last check for a new comic, or nil.
  public func newestCheck() async throws(StoreError) -> NewestCheck? {
    try await store.read { tables in try tables.newestCheck.check() }
  }

  /// Stores the result of a check for a new comic.
  public func save(_ check: NewestCheck) async throws(StoreError) {
    try await store.write { tables in try tables.newestCheck.put(check) }
  }
}
