// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

extension Store {
  /// How many comics are stored.
  public func count() async throws(StoreError) -> Int {
    try await read { database in try ComicTable(database: database).count() }
  }

  /// The greatest number of a stored comic, or nothing where none is stored.
  public func newestStored() async throws(StoreError) -> Comic.Number? {
    try await read { database in try ComicTable(database: database).newest() }
  }

  /// The revision of the last real change, Revision/empty where there was none yet.
  public func revision() async throws(StoreError) -> Revision {
    try await read { database in try ComicTable(database: database).revision() }
  }

  /// The stored comic with a number, or nothing.
  public func comic(_ number: Comic.Number) async throws(StoreError) -> StoredComic? {
    try await read { database in try ComicTable(database: database).comic(number) }
  }

  /// A comic's record as the source sent it, or nothing.
  public func rawRecord(_ number: Comic.Number) async throws(StoreError) -> [UInt8]? {
    try await read { database in try ComicTable(database: database).raw(number) }
  }

  /// The comics whose record or picture facts really changed after a revision, by number.
  ///
  /// All comics are about 2.5 MB, so they are handed out as one array.
  /// - Parameter revision: the one up to which the caller knows all; Revision/empty for all comics.
  public func comics(changedSince revision: Revision) async throws(StoreError) -> [StoredComic] {
    try await read { database in try ComicTable(database: database).comics(changedSince: revision) }
  }

  /// Which comics were added or really changed, the oldest change first.
  /// - Parameters:
  ///   - revision: the one up to which the caller knows the changes,
  ///   - number: and the last comic of this revision that the caller knows.
  ///   - last: the latest revision that is of interest.
  ///   - limit: the most changes.
  public func changes(
    after revision: Revision,
    _ number: Int,
    upTo last: Revision,
    limit: Int
  ) async throws(StoreError) -> [StoredChange] {
    try await read { database in
      try ComicTable(database: database).changes(after: revision, number, upTo: last, limit: limit)
    }
  }

  /// Keeps records, all in one transaction, and that they were fetched.
  ///
  /// The same bytes again are no change: only the validator and the date are renewed.
  /// - Parameter records: any number; of two with one number the later counts.
  /// - Returns: how many were new, changed or known.
  @discardableResult
  public func save(_ records: [FetchedRecord]) async throws(StoreError) -> SaveCounts {
    try await write { database in try ComicTable(database: database).save(records) }
  }

  /// Notes that the source has confirmed the stored record ("304 Not Modified").
  /// - Parameters:
  ///   - number: the comic.
  ///   - validator: what to ask with next time.
  ///   - date: when it was confirmed.
  ///   - lookAgain: when to ask again of our own accord, or nothing.
  /// - Throws: `unknownComic` where no record is stored.
  public func confirmRecord(
    _ number: Comic.Number,
    validator: StoredValidator,
    at date: Date,
    lookAgain: Date? = nil
  ) async throws(StoreError) {
    try await write { database in
      guard try ComicTable(database: database).confirm(number, validator: validator, at: date) else {
        throw StoreError.unknownComic(number)
      }
      try FetchTable(database: database).noteFetched(.record, of: number, lookAgain: lookAgain)
    }
  }
}
