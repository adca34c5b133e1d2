// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// The comics' records, as the source sent them.
public struct ComicStore: Sendable {
  let store: Store

  /// The number of stored comics.
  public func count() async throws(StoreError) -> Int {
    try await store.read { tables in try tables.comics.count() }
  }

  /// The greatest number of a stored comic, or nil if none is stored.
  public func newest() async throws(StoreError) -> Comic.Number? {
    try await store.read { tables in try tables.comics.newest() }
  }

  /// The revision of the last real change, or `Revision.empty`.
  public func revision() async throws(StoreError) -> Revision {
    try await store.read { tables in try tables.comics.revision() }
  }

  /// A stored comic, or nil.
  public func comic(_ number: Comic.Number) async throws(StoreError) -> StoredComic? {
    try await store.read { tables in try tables.comics.comic(number) }
  }

  /// A comic's record as the source sent it, or nil.
  public func rawRecord(_ number: Comic.Number) async throws(StoreError) -> [UInt8]? {
    try await store.read { tables in try tables.comics.raw(number) }
  }

  /// The comics that have changed after a revision, ordered by number; all comics are about 2.5 MB, so one
  /// array holds them.
  /// - Parameter revision: the last one that the caller knows; `Revision.empty` for all comics.
  public func comics(changedSince revision: Revision) async throws(StoreError) -> [StoredComic] {
    try await store.read { tables in try tables.comics.comics(changedSince: revision) }
  }

  /// The comics that were added or changed, oldest change first.
  /// - Parameters:
  ///   - revision: the last revision that the caller knows.
  ///   - number: the last comic of that revision that the caller knows.
  ///   - last: the last revision to return.
  ///   - limit: the most changes.
  public func changes(
    after revision: Revision,
    _ number: Int,
    upTo last: Revision,
    limit: Int
  ) async throws(StoreError) -> [StoredChange] {
    try await store.read { tables in
      try tables.comics.changes(after: revision, number, upTo: last, limit: limit)
    }
  }

  /// Stores fetched records in one transaction; identical bytes update only the validator and the date.
  /// - Parameter records: any number. If two have the same number, the later one counts.
  /// - Returns: how many were new, changed or unchanged.
  @discardableResult
  public func save(_ records: [FetchedRecord]) async throws(StoreError) -> SaveCounts {
    try await store.write { tables in try tables.comics.save(records) }
  }

  /// Notes that the source has confirmed the stored record ("304 Not Modified").
  /// - Parameters:
  ///   - number: the comic.
  ///   - validator: the validator for the next request.
  ///   - date: when it was confirmed.
  ///   - lookAgain: when to fetch it again, or nil.
  /// - Throws: `unknownComic` if no record is stored.
  public func confirm(
    _ number: Comic.Number,
    validator: StoredValidator,
    at date: Date,
    lookAgain: Date? = nil
  ) async throws(StoreError) {
    try await store.write { tables in
      guard try tables.comics.confirm(number, validator: validator, at: date) else {
        throw StoreError.unknownComic(number)
      }
      try tables.fetches.noteFetched(.record, of: number, lookAgain: lookAgain)
    }
  }
}
