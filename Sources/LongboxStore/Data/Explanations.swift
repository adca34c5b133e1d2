// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// The explanations of comics, as explain xkcd sent them.
public struct ExplanationStore: Sendable {
  let store: Store

  /// The stored explanation of a comic; nil if the wiki was never asked.
  public func explanation(of number: Comic.Number) async throws(StoreError) -> StoredExplanation? {
    try await store.read { database in try database.explanations.explanation(number) }
  }

  /// The explanations whose text is newer than a change, in the order of the changes.
  /// - Parameters:
  ///   - change: the last change that the caller knows; 0 for all.
  ///   - limit: the most explanations. All of them are about 20 MB, so read them in parts.
  public func explanations(
    changedSince change: Int,
    limit: Int
  ) async throws(StoreError) -> [StoredExplanation] {
    let sql = """
      SELECT \(Explanations.columns) FROM explanation WHERE change > $1 AND wikitext IS NOT NULL
      ORDER BY change LIMIT $2
      """
    return try await store.read { database in
      try database.rows(sql, .init(change), .init(limit), read: Explanations.explanation)
    }
  }

  /// The number of explanations whose text is newer than a change.
  public func count(changedSince change: Int) async throws(StoreError) -> Int {
    try await store.read { database in
      try database.number("SELECT count(wikitext) FROM explanation WHERE change > $1", .init(change))
    }
  }

  /// Counts of the stored explanations.
  public func totals() async throws(StoreError) -> ExplanationTotals {
    try await store.read { database in
      try database.first(
        """
        SELECT count(wikitext), coalesce(sum(length(wikitext)), 0), count(*) - count(wikitext),
          coalesce(max(change), 0)
        FROM explanation
        """
      ) { row in
        ExplanationTotals(
          pages: try row.int(0),
          bytes: try row.int(1),
          absent: try row.int(2),
          change: try row.int(3)
        )
      } ?? ExplanationTotals(pages: 0, bytes: 0, absent: 0, change: 0)
    }
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
    let isDue = StoredPause.explanation.isOver("explanation.look_again", at: "$2")
    return try await store.read { database in
      try database.rows(
        """
        SELECT candidate.number FROM (\(database.dialect.numbers)) AS candidate
        LEFT JOIN explanation ON explanation.number = candidate.number
        WHERE candidate.number <> 404 AND (explanation.number IS NULL OR \(isDue))
        ORDER BY candidate.number DESC LIMIT $3
        """,
        .init(newest),
        .init(date),
        .init(limit)
      ) { row in try row.number(0) }
    }
  }

  /// When the next explanation becomes due after a date, or nil.
  public func nextFetch(after date: Date) async throws(StoreError) -> Date? {
    let isDue = StoredPause.explanation.isOver("look_again", at: "$1")
    return try await store.read { database in
      try database.first(
        "SELECT min(look_again) FROM explanation WHERE NOT \(isDue)",
        .init(date)
      ) { row in try row.optionalDate(0) } ?? nil
    }
  }

  /// Stores answers of explain xkcd in one transaction.
  ///
  /// An answer without a page keeps the stored page. A changed page gives its comic a new revision, because the topics
  /// and many transcripts come from the page.
  /// - Returns: the comics whose text has changed.
  @discardableResult
  public func save(_ explanations: [FetchedExplanation]) async throws(StoreError) -> [Comic.Number] {
    try await store.write { database in try database.explanations.save(explanations) }
  }
}

/// The rows of the explanations, within one read or one transaction.
struct Explanations {
  let database: any SQLConnection

  func explanation(_ number: Comic.Number) throws -> StoredExplanation? {
    try database.first(
      "SELECT \(Self.columns) FROM explanation WHERE number = $1",
      .init(number),
      read: Self.explanation
    )
  }

  func save(_ explanations: [FetchedExplanation]) throws -> [Comic.Number] {
    let last = try Counter.explanations.lock(in: database)
    var change = last
    var changed: [Comic.Number] = []
    for fetched in explanations {
      let before = try explanation(fetched.number)
      var isChange = before == nil
      if case .page(let text) = fetched.outcome, before?.text != text {
        isChange = true
        changed.append(fetched.number)
      }
      if isChange { change += 1 }
      try put(fetched, change: isChange ? change : before?.change ?? change)
    }
    if change != last { try Counter.explanations.set(change, in: database) }
    try database.comics.noteChange(of: changed)
    return changed
  }

  private func put(_ fetched: FetchedExplanation, change: Int) throws {
    var text: ExplanationText?
    if case .page(let page) = fetched.outcome { text = page }
    try database.change(
      """
      INSERT INTO explanation AS old
        (number, outcome, page_revision, written_at, wikitext, fetched_at, look_again, change)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (number) DO UPDATE SET
        outcome = excluded.outcome, page_revision = coalesce(excluded.page_revision, old.page_revision),
        written_at = coalesce(excluded.written_at, old.written_at),
        wikitext = coalesce(excluded.wikitext, old.wikitext),
        fetched_at = excluded.fetched_at, look_again = excluded.look_again, change = excluded.change
      """,
      .init(fetched.number),
      .text(StoredExplanation.Outcome(fetched.outcome).rawValue),
      .init(text?.pageRevision),
      .init(text?.timestamp),
      .init(text?.wikitext),
      .init(fetched.fetchedAt),
      .init(fetched.lookAgain),
      .init(change)
    )
  }

  fileprivate static let columns =
    "number, outcome, page_revision, written_at, wikitext, fetched_at, look_again, change"

  fileprivate static func explanation(_ row: SQLRow) throws -> StoredExplanation {
    var text: ExplanationText?
    if let pageRevision = try row.optionalInt(2), let timestamp = try row.optionalText(3) {
      text = ExplanationText(
        pageRevision: pageRevision,
        timestamp: timestamp,
        wikitext: try row.bytes(4)
      )
    }
    return StoredExplanation(
      number: try row.number(0),
      outcome: try row.value(1),
      text: text,
      fetchedAt: try row.date(5),
      lookAgain: try row.optionalDate(6),
      change: try row.int(7)
    )
  }
}

extension SQLConnection {
  var explanations: Explanations { Explanations(database: self) }
}

/// The answer of explain xkcd about a comic, to be stored.
public struct FetchedExplanation: Hashable, Sendable {
  /// The result of a request.
  public enum Outcome: Hashable, Sendable {
    /// The page, as its editors wrote it.
    case page(ExplanationText)
    /// There is no page about the comic, or not yet.
    case missing
    /// The page is too long to be read.
    case tooLong
    /// The answer could not be used.
    case failed
  }

  /// The comic that was requested.
  public var number: Comic.Number
  /// The result.
  public var outcome: Outcome
  /// When the answer came.
  public var fetchedAt: Date
  /// When to ask again, or nil.
  public var lookAgain: Date?

  /// Makes an answer.
  public init(number: Comic.Number, outcome: Outcome, fetchedAt: Date, lookAgain: Date?) {
    self.number = number
    self.outcome = outcome
    self.fetchedAt = fetchedAt
    self.lookAgain = lookAgain
  }
}

/// A page of explain xkcd as it was sent.
public struct ExplanationText: Hashable, Sendable {
  /// The longest stored wikitext, in bytes; the longest page so far, 1608, has 272,884.
  public static let sizeLimit = 16 << 20

  /// The wiki's number of the revision.
  public var pageRevision: Int
  /// When that revision was written, in the wiki's format: `2024-05-03T10:00:00Z`.
  public var timestamp: String
  /// The wikitext, byte for byte.
  public var wikitext: [UInt8]

  /// Makes a text.
  public init(pageRevision: Int, timestamp: String, wikitext: [UInt8]) {
    self.pageRevision = pageRevision
    self.timestamp = timestamp
    self.wikitext = wikitext
  }
}

/// Everything stored about a comic's explanation.
public struct StoredExplanation: Hashable, Sendable {
  /// The result of the last request.
  public enum Outcome: String, CaseIterable, Sendable {
    /// The page came.
    case page
    /// There was no page.
    case missing
    /// The page was too long to be read.
    case tooLong
    /// The answer could not be used.
    case failed
  }

  /// The comic's number.
  public let number: Comic.Number
  /// The result of the last request.
  public let outcome: Outcome
  /// The last page that came, whatever later requests returned; nil if none ever came.
  public let text: ExplanationText?
  /// When the wiki was last asked, to the second.
  public let fetchedAt: Date
  /// When to ask again, to the second, or nil.
  public let lookAgain: Date?
  /// Increases with each change of any text; no two explanations have the same.
  public let change: Int
}

/// Counts of the stored explanations.
public struct ExplanationTotals: Hashable, Sendable {
  /// The comics whose page is stored.
  public var pages: Int
  /// The total wikitext in bytes.
  public var bytes: Int
  /// The comics whose page does not exist or can't be read.
  public var absent: Int
  /// The last change of any text, or 0.
  public var change: Int
}

extension StoredExplanation.Outcome {
  fileprivate init(_ outcome: FetchedExplanation.Outcome) {
    self =
      switch outcome {
      case .page: .page
      case .missing: .missing
      case .tooLong: .tooLong
      case .failed: .failed
      }
  }
}
