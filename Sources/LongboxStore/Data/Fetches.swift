// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// What was fetched of each comic, what failed, and what is due.
public struct FetchStore: Sendable {
  let store: Store

  /// The state of fetching one part of a comic.
  public func status(of part: ComicPart, of number: Comic.Number) async throws(StoreError) -> FetchStatus {
    try await store.read { database in
      try database.first(
        "SELECT \(Fetches.columns) FROM comic_fetch WHERE thing = $1 AND number = $2",
        .text(part.rawValue),
        .init(number),
        read: Fetches.status
      ) ?? FetchStatus(number: number, part: part, state: .never, reason: nil, attempts: 0, nextTry: nil)
    }
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
    let isDue = StoredPause.fetch(part).isOver("comic_fetch.next_try", at: "$3")
    return try await store.read { database in
      try database.rows(
        """
        SELECT candidate.number FROM (\(Self.candidates(for: part, database.dialect))) AS candidate
        LEFT JOIN comic_fetch ON comic_fetch.number = candidate.number AND comic_fetch.thing = $2
        WHERE candidate.number <> 404 AND (comic_fetch.number IS NULL OR \(isDue))
        ORDER BY candidate.number DESC LIMIT $4
        """,
        .init(newest),
        .text(part.rawValue),
        .init(date),
        .init(limit)
      ) { row in try row.number(0) }
    }
  }

  /// The comics up to $1 that have a part to fetch; a picture needs the record, which has its address.
  private static func candidates(for part: ComicPart, _ dialect: SQLDialect) -> String {
    switch part {
    case .record: dialect.numbers
    case .picture: "SELECT number FROM comic WHERE number <= $1"
    case .doubleSize, .larger: "SELECT number FROM picture WHERE number <= $1"
    }
  }

  /// When the next try becomes due after a date, or nil.
  public func nextTry(of part: ComicPart, after date: Date) async throws(StoreError) -> Date? {
    let isDue = StoredPause.fetch(part).isOver("next_try", at: "$2")
    return try await store.read { database in
      try database.first(
        "SELECT min(next_try) FROM comic_fetch WHERE thing = $1 AND NOT \(isDue)",
        .text(part.rawValue),
        .init(date)
      ) { row in try row.optionalDate(0) } ?? nil
    }
  }

  /// Counts comics by the state of one part.
  /// - Parameters:
  ///   - part: what is fetched.
  ///   - newest: the greatest number to count; 404 is not counted.
  public func progress(
    of part: ComicPart,
    upTo newest: Comic.Number
  ) async throws(StoreError) -> FetchProgress {
    try await store.read { database in
      var progress = FetchProgress()
      _ = try database.rows(
        "SELECT state, count(*) FROM comic_fetch WHERE thing = $1 AND number <= $2 GROUP BY state",
        .text(part.rawValue),
        .init(newest)
      ) { row in
        switch try row.value(0) as FetchStatus.State {
        case .fetched: progress.fetched = try row.int(1)
        case .absent: progress.absent = try row.int(1)
        case .failed: progress.failed = try row.int(1)
        case .never: throw row.unexpected(0)
        }
      }
      progress.never = newest.ordinal - progress.total
      return progress
    }
  }

  /// All failed fetches with their reasons, newest comic first.
  public func failures() async throws(StoreError) -> [FetchStatus] {
    let sql = "SELECT \(Fetches.columns) FROM comic_fetch WHERE state = 'failed' ORDER BY number DESC, thing"
    return try await store.read { database in try database.rows(sql, read: Fetches.status) }
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
    try await store.write { database in
      try database.fetches.noteAbsent(part, of: number, lookAgain: lookAgain)
      let isChanged =
        switch part {
        case .record, .picture: false
        case .doubleSize: try database.pictures.put(doubleSize: .absent, of: number)
        case .larger: try database.pictures.put(larger: .absent, of: number)
        }
      if isChanged { try database.comics.noteChange(of: [number]) }
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
    try await store.write { database in
      try database.change(
        """
        INSERT INTO comic_fetch AS old (number, thing, state, reason, attempts, next_try)
          VALUES ($1, $2, 'failed', $3, 1, $4)
        ON CONFLICT (thing, number) DO UPDATE SET
          state = CASE old.state WHEN 'fetched' THEN 'fetched' ELSE 'failed' END,
          reason = excluded.reason, attempts = old.attempts + 1, next_try = excluded.next_try
        """,
        .init(number),
        .text(part.rawValue),
        .text(String(reason.prefix(Fetches.reasonLength))),
        .init(nextTry)
      )
    }
  }

  /// Resets a comic's failed and absent parts, so that they are due at once.
  public func forgetFailures(of number: Comic.Number) async throws(StoreError) {
    try await store.write { database in
      try database.change(
        "DELETE FROM comic_fetch WHERE number = $1 AND state IN ('failed', 'absent')",
        .init(number)
      )
      try database.change(
        "UPDATE comic_fetch SET reason = NULL, attempts = 0 WHERE number = $1",
        .init(number)
      )
    }
  }

  /// Makes one part of a comic due at once, whatever its state; a stored part stays until then.
  public func fetchAgain(_ part: ComicPart, of number: Comic.Number) async throws(StoreError) {
    try await store.write { database in try database.fetches.forget(part, of: number) }
  }

  /// The result of the last check for a new comic, or nil.
  public func newestCheck() async throws(StoreError) -> NewestCheck? {
    try await store.read { database in
      try database.first(
        "SELECT newest, etag, last_modified, checked_at, succeeded_at, failure FROM newest_check"
      ) { row in
        NewestCheck(
          newest: try row.optionalNumber(0),
          validator: try row.validator(1),
          checkedAt: try row.date(3),
          succeededAt: try row.optionalDate(4),
          failure: try row.optionalText(5)
        )
      }
    }
  }

  /// Stores the result of a check for a new comic.
  public func save(_ check: NewestCheck) async throws(StoreError) {
    try await store.write { database in
      try database.change(
        """
        INSERT INTO newest_check (id, newest, etag, last_modified, checked_at, succeeded_at, failure)
        VALUES (1, $1, $2, $3, $4, $5, $6)
        ON CONFLICT (id) DO UPDATE SET newest = excluded.newest, etag = excluded.etag,
          last_modified = excluded.last_modified, checked_at = excluded.checked_at,
          succeeded_at = excluded.succeeded_at, failure = excluded.failure
        """,
        .init(check.newest?.value),
        .init(check.validator.etag),
        .init(check.validator.lastModified),
        .init(check.checkedAt),
        .init(check.succeededAt),
        .init(check.failure.map { String($0.prefix(Fetches.reasonLength)) })
      )
    }
  }
}

/// The rows of the fetches, within one read or one transaction.
struct Fetches {
  /// The longest stored reason in characters, so that a source's text can't fill the database.
  fileprivate static let reasonLength = 500

  let database: any SQLConnection

  func noteFetched(_ part: ComicPart, of number: Comic.Number, lookAgain: Date?) throws {
    try noteFetched(part, [(number, lookAgain)])
  }

  func noteFetched(_ part: ComicPart, _ comics: [(Comic.Number, lookAgain: Date?)]) throws {
    try note(.fetched, part, comics)
  }

  func noteAbsent(_ part: ComicPart, of number: Comic.Number, lookAgain: Date?) throws {
    try note(.absent, part, [(number, lookAgain)])
  }

  private func note(
    _ state: FetchStatus.State,
    _ part: ComicPart,
    _ comics: [(Comic.Number, lookAgain: Date?)]
  ) throws {
    try database.change(
      """
      INSERT INTO comic_fetch (number, thing, state, reason, attempts, next_try) VALUES ($1, $2, $3, NULL, 0, $4)
      ON CONFLICT (thing, number) DO UPDATE SET
        state = excluded.state, reason = NULL, attempts = 0, next_try = excluded.next_try
      """,
      each: comics.map { number, lookAgain in
        [.init(number), .text(part.rawValue), .text(state.rawValue), .init(lookAgain)]
      }
    )
  }

  /// Resets one part of a comic.
  func forget(_ part: ComicPart, of number: Comic.Number) throws {
    try database.change(
      "DELETE FROM comic_fetch WHERE thing = $1 AND number = $2",
      .text(part.rawValue),
      .init(number)
    )
  }

  fileprivate static let columns = "number, thing, state, reason, attempts, next_try"

  fileprivate static func status(_ row: SQLRow) throws -> FetchStatus {
    FetchStatus(
      number: try row.number(0),
      part: try row.value(1),
      state: try row.value(2),
      reason: try row.optionalText(3),
      attempts: try row.int(4),
      nextTry: try row.optionalDate(5)
    )
  }
}

extension SQLConnection {
  var fetches: Fetches { Fetches(database: self) }
}

/// What is fetched of a comic, each with its own request.
public enum ComicPart: String, CaseIterable, Sendable {
  /// The record with title, alt text and transcript.
  case record
  /// The picture.
  case picture
  /// The double-size picture, which not every comic has.
  case doubleSize
  /// The larger version, to which some comics link.
  case larger

  /// The name in messages.
  public var name: String {
    switch self {
    case .record, .picture: rawValue
    case .doubleSize: "double-size picture"
    case .larger: "larger version"
    }
  }
}

/// The state of fetching one part of a comic.
public struct FetchStatus: Hashable, Sendable {
  /// The possible states.
  public enum State: String, CaseIterable, Sendable {
    /// Never tried, or reset since.
    case never
    /// It is stored.
    case fetched
    /// The source has no such thing.
    case absent
    /// The last try failed.
    case failed
  }

  /// Which comic.
  public let number: Comic.Number
  /// The part.
  public let part: ComicPart
  /// The state; a stored part stays `fetched`, even if a later request fails.
  public let state: State
  /// Why the last try failed, as a sentence.
  public let reason: String?
  /// How many tries have failed since the last success.
  public let attempts: Int
  /// When to try again, to the second, or nil.
  public let nextTry: Date?
}

/// Counts of comics by the state of one part.
public struct FetchProgress: Hashable, Sendable {
  /// Stored.
  public var fetched: Int
  /// Known not to exist.
  public var absent: Int
  /// Failed.
  public var failed: Int
  /// Never tried.
  public var never: Int

  /// Makes counts.
  public init(fetched: Int = 0, absent: Int = 0, failed: Int = 0, never: Int = 0) {
    self.fetched = fetched
    self.absent = absent
    self.failed = failed
    self.never = never
  }

  /// All comics that the counts cover.
  public var total: Int { fetched + absent + failed + never }
}

/// The result of the checks for a new comic.
public struct NewestCheck: Hashable, Sendable {
  /// The newest comic's number, from the last check that succeeded.
  public var newest: Comic.Number?
  /// The validator for the next request.
  public var validator: StoredValidator
  /// When the source was last asked, to the second.
  public var checkedAt: Date
  /// When it last answered, "not changed" included; to the second.
  public var succeededAt: Date?
  /// Why the last check failed, as a sentence, or nil if it succeeded.
  public var failure: String?

  /// Makes the result of a check.
  public init(
    newest: Comic.Number?,
    validator: StoredValidator = StoredValidator(),
    checkedAt: Date,
    succeededAt: Date?,
    failure: String? = nil
  ) {
    self.newest = newest
    self.validator = validator
    self.checkedAt = checkedAt
    self.succeededAt = succeededAt
    self.failure = failure
  }
}

/// What waits until a stored time, and how long it waits at most.
///
/// A time that lies further ahead was stored while the clock was ahead, and doesn't count. Otherwise nothing would happen
/// until then once the clock is right again.
package enum StoredPause: Sendable {
  /// The next request for a part of a comic.
  case fetch(ComicPart)
  /// The next request for an explanation.
  case explanation
  /// The next try of a notification, the end of quiet hours included.
  case notification
  /// The next try of a message to a hook.
  case hook
  /// The end of a node's claim of a notification, by the clock of the database.
  case claim

  private static let day = 24 * 3600

  /// The longest pause in seconds.
  package var longest: Int {
    switch self {
    case .fetch(.record), .fetch(.picture), .hook: Self.day
    case .fetch(.doubleSize), .fetch(.larger), .explanation: 30 * Self.day
    case .notification: 2 * Self.day
    case .claim: Int(AnnouncementStore.claimLease.components.seconds)
    }
  }

  /// The longest pause and a tenth of it, so that a clock that is set back a little causes no rush of requests.
  private var limit: Int { longest + longest / 10 }

  /// SQL that says whether a stored time is too far ahead to count; it is NULL if the time is.
  /// - Parameters:
  ///   - column: the time, in seconds since 1970.
  ///   - now: the time now.
  func isTooFar(_ column: String, at now: String) -> String { "\(column) - \(limit) > \(now)" }

  /// SQL that says whether a pause is over; it is NULL if the time is.
  func isOver(_ column: String, at now: String) -> String {
    "(\(column) <= \(now) OR \(isTooFar(column, at: now)))"
  }
}
