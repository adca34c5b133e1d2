// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

struct SQLiteExplanationTable: ExplanationTable {
  let database: Database

  func explanation(_ number: Comic.Number) throws -> StoredExplanation? {
    try Row.fetchOne(
      database,
      sql: "SELECT * FROM explanation WHERE number = ?",
      arguments: [number.value]
    )
    .map(Self.explanation)
  }

  func explanations(changedSince change: Int, limit: Int) throws -> [StoredExplanation] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM explanation WHERE change > ? AND wikitext IS NOT NULL ORDER BY change LIMIT ?
        """,
      arguments: [change, limit]
    )
    .map(Self.explanation)
  }

  func count(changedSince change: Int) throws -> Int {
    try Int.fetchOne(
      database,
      sql: "SELECT count(wikitext) FROM explanation WHERE change > ?",
      arguments: [change]
    ) ?? 0
  }

  func totals() throws -> ExplanationTotals {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT count(wikitext) AS pages, coalesce(sum(length(wikitext)), 0) AS bytes,
          count(*) - count(wikitext) AS absent, coalesce(max(change), 0) AS change
        FROM explanation
        """
    )
    guard let row else { return ExplanationTotals(pages: 0, bytes: 0, absent: 0, change: 0) }
    return ExplanationTotals(
      pages: try row.value("pages"),
      bytes: try row.value("bytes"),
      absent: try row.value("absent"),
      change: try row.value("change")
    )
  }

  func due(upTo newest: Comic.Number, by date: Date, limit: Int) throws -> [Comic.Number] {
    try Int.fetchAll(
      database,
      sql: """
        WITH RECURSIVE candidate (number) AS (
          SELECT ?1 UNION ALL SELECT number - 1 FROM candidate WHERE number > 1
        )
        SELECT candidate.number FROM candidate
        LEFT JOIN explanation ON explanation.number = candidate.number
        WHERE candidate.number <> 404
          AND (explanation.number IS NULL OR \(StoredPause.explanation.isOver("explanation.lookAgain", at: "?2")))
        ORDER BY candidate.number DESC LIMIT ?3
        """,
      arguments: [newest.value, date.seconds, limit]
    )
    .compactMap { Comic.Number($0) }
  }

  func nextDate(after date: Date) throws -> Date? {
    try Int64.fetchOne(
      database,
      sql: """
        SELECT min(lookAgain) FROM explanation WHERE NOT \(StoredPause.explanation.isOver("lookAgain", at: "?1"))
        """,
      arguments: [date.seconds]
    )
    .map { Date(seconds: $0) }
  }

  /// Stores answers; a comic whose transcript or topics may have changed gets a new revision.
  /// - Returns: the comics whose text has changed.
  func save(_ explanations: [FetchedExplanation]) throws -> [Comic.Number] {
    var change = try Int.fetchOne(database, sql: "SELECT max(change) FROM explanation") ?? 0
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
    try SQLiteComicTable(database: database).noteChange(of: changed)
    return changed
  }

  /// An answer without a page keeps the stored page.
  private func put(_ fetched: FetchedExplanation, change: Int) throws {
    var text: ExplanationText?
    if case .page(let page) = fetched.outcome { text = page }
    let upsert = try database.cachedStatement(
      sql: """
        INSERT INTO explanation
          (number, outcome, pageRevision, timestamp, wikitext, fetchedAt, lookAgain, change)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (number) DO UPDATE SET
          outcome = excluded.outcome, pageRevision = coalesce(excluded.pageRevision, pageRevision),
          timestamp = coalesce(excluded.timestamp, timestamp),
          wikitext = coalesce(excluded.wikitext, wikitext),
          fetchedAt = excluded.fetchedAt, lookAgain = excluded.lookAgain, change = excluded.change
        """
    )
    try upsert.execute(
      arguments: [
        fetched.number.value, StoredExplanation.Outcome(fetched.outcome).rawValue, text?.pageRevision,
        text?.timestamp,
        text.map { Data($0.wikitext) }, fetched.fetchedAt.seconds, fetched.lookAgain?.seconds, change,
      ]
    )
  }

  private static func explanation(_ row: Row) throws -> StoredExplanation {
    guard let outcome = StoredExplanation.Outcome(rawValue: try row.value("outcome")) else {
      throw row.unexpected("outcome")
    }
    var text: ExplanationText?
    if let pageRevision = try row.value("pageRevision") as Int?,
      let timestamp = try row.value("timestamp") as String?
    {
      text = ExplanationText(
        pageRevision: pageRevision,
        timestamp: timestamp,
        wikitext: try row.bytes("wikitext")
      )
    }
    return StoredExplanation(
      number: try row.number(),
      outcome: outcome,
      text: text,
      fetchedAt: Date(seconds: try row.value("fetchedAt")),
      lookAgain: try row.date("lookAgain"),
      change: try row.value("change")
    )
  }
}
