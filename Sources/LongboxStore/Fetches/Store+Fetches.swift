// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

extension Store {
  /// How the fetching of one thing of a comic went.
  public func status(of thing: FetchedThing, of number: Comic.Number) async throws(StoreError) -> FetchStatus
  {
    try await read { database in try FetchTable(database: database).status(thing, of: number) }
  }

  /// The comics to fetch something of next, newest first.
  ///
  /// Those are the comics that were never tried, and those whose next try is due. Records are asked for of all numbers up
  /// to the newest but 404; pictures of comics whose record is stored; pictures of twice the resolution of comics whose
  /// picture was fetched.
  /// - Parameters:
  ///   - thing: what to fetch.
  ///   - newest: the greatest number to consider.
  ///   - date: the time by which a next try is due; usually now.
  ///   - limit: how many numbers at most.
  public func numbersToFetch(
    _ thing: FetchedThing,
    upTo newest: Comic.Number,
    dueBy date: Date,
    limit: Int
  ) async throws(StoreError) -> [Comic.Number] {
    try await read { database in
      try FetchTable(database: database).due(thing, upTo: newest, by: date, limit: limit)
    }
  }

  /// When the next try that is not due yet will be, or nothing.
  public func nextTry(of thing: FetchedThing, after date: Date) async throws(StoreError) -> Date? {
    try await read { database in try FetchTable(database: database).nextDate(thing, after: date) }
  }

  /// How many comics are how far with one thing.
  /// - Parameters:
  ///   - thing: what is fetched.
  ///   - newest: the greatest number to count; 404 is not counted.
  public func progress(
    of thing: FetchedThing,
    upTo newest: Comic.Number
  ) async throws(StoreError) -> FetchProgress {
    try await read { database in try FetchTable(database: database).progress(thing, upTo: newest) }
  }

  /// All that could not be fetched, with the reasons, newest comic first.
  public func failures() async throws(StoreError) -> [FetchStatus] {
    try await read { database in try FetchTable(database: database).failures() }
  }

  /// Notes that the source has no such thing, or no such comic.
  ///
  /// Of a picture of twice the resolution this is one of the comic's picture facts, and a real change of them.
  /// - Parameters:
  ///   - thing: what is not there.
  ///   - number: the comic.
  ///   - lookAgain: when to ask again of our own accord, or nothing.
  public func noteAbsent(
    _ thing: FetchedThing,
    of number: Comic.Number,
    lookAgain: Date?
  ) async throws(StoreError) {
    try await write { database in
      try FetchTable(database: database).noteAbsent(thing, of: number, lookAgain: lookAgain)
      guard thing == .doubleSize, try PictureTable(database: database).put(.absent, of: number) else {
        return
      }
      try ComicTable(database: database).noteChange(of: number)
    }
  }

  /// Notes that a try failed.
  ///
  /// What is stored already stays, and counts as fetched.
  /// - Parameters:
  ///   - thing: what could not be had.
  ///   - number: the comic.
  ///   - reason: a sentence for the reader; at most 500 characters of it are kept.
  ///   - nextTry: when to try again of our own accord, or nothing.
  public func noteFailure(
    _ thing: FetchedThing,
    of number: Comic.Number,
    reason: String,
    nextTry: Date?
  ) async throws(StoreError) {
    try await write { database in
      try FetchTable(database: database).noteFailure(thing, of: number, reason: reason, nextTry: nextTry)
    }
  }

  /// Forgets what failed or was absent of a comic, so that it is due at once.
  public func forgetFailures(of number: Comic.Number) async throws(StoreError) {
    try await write { database in try FetchTable(database: database).forget(number) }
  }

  /// Makes one thing of a comic due at once, whatever became of it so far.
  ///
  /// What is stored stays until then.
  public func fetchAgain(_ thing: FetchedThing, of number: Comic.Number) async throws(StoreError) {
    try await write { database in try FetchTable(database: database).forget(thing, of: number) }
  }

  /// What the last check for a new comic found, or nothing where there was none yet.
  public func newestCheck() async throws(StoreError) -> NewestCheck? {
    try await read { database in try NewestCheckTable(database: database).check() }
  }

  /// Keeps what a check for a new comic found.
  public func save(_ check: NewestCheck) async throws(StoreError) {
    try await write { database in try NewestCheckTable(database: database).put(check) }
  }
}
