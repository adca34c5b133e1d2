// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

struct PostgresExplanationTable: ExplanationTable {
  let session: PostgresSession

  func explanation(_ number: Comic.Number) throws -> StoredExplanation? {
    let sql = "SELECT \(Self.columns) FROM explanation WHERE number = $1"
    return try session.execute(sql, .init(number)).first.map(Self.explanation)
  }

  func explanations(changedSince change: Int, limit: Int) throws -> [StoredExplanation] {
    let sql = """
      SELECT \(Self.columns) FROM explanation WHERE change > $1 AND wikitext IS NOT NULL ORDER BY change LIMIT $2
      """
    return try session.execute(sql, .init(change), .init(limit)).map(Self.explanation)
  }

  func count(changedSince change: Int) throws -> Int {
    try session.execute("SELECT count(wikitext) FROM explanation WHERE change > $1", .init(change)).first?
      .int(0) ?? 0
  }

  func totals() throws -> ExplanationTotals {
    let row = try session.execute(
      """
      SELECT count(wikitext), coalesce(sum(octet_length(wikitext)), 0)::bigint, count(*) - count(wikitext),
        coalesce(max(change), 0)
      FROM explanation
      """
    ).first
    guard let row else { return ExplanationTotals(pages: 0, bytes: 0, absent: 0, change: 0) }
    return ExplanationTotals(
      pages: try row.int(0),
      bytes: try row.int(1),
      absent: try row.int(2),
      change: try row.int(3)
    )
  }

  func due(upTo newest: Comic.Number, by date: Date, limit: Int) throws -> [Comic.Number] {
    try session.execute(
      """
      SELECT candidate.number FROM generate_series(1, $1::bigint) AS candidate (number)
      LEFT JOIN explanation ON explanation.number = candidate.number
      WHERE candidate.number <> 404
        AND (explanation.number IS NULL OR \(StoredPause.explanation.isOver("explanation.look_again", at: "$2")))
      ORDER BY candidate.number DESC LIMIT $3
      """,
      .init(newest),
      .init(date),
      .init(limit)
    )
    .map { try $0.number(0) }
  }

  func nextDate(after date: Date) throws -> Date? {
    try session.execute(
      "SELECT min(look_again) FROM explanation WHERE NOT \(StoredPause.explanation.isOver("look_again", at: "$1"))",
      .init(date)
    )
    .first?.optionalDate(0)
  }

  func save(_ explanations: [FetchedExplanation]) throws -> [Comic.Number] {
    let last = try PostgresCounter.explanations.lock(in: session)
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
    if change != last { try PostgresCounter.explanations.set(change, in: session) }
    try PostgresComicTable(session: session).noteChange(of: changed)
    return changed
  }

  /// If the wiki has no page now, the stored page stays.
  private func put(_ fetched: FetchedExplanation, change: Int) throws {
    var text: ExplanationText?
    if case .page(let page) = fetched.outcome { text = page }
    try session.execute(
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

  private static let columns =
    "number, outcome, page_revision, written_at, wikitext, fetched_at, look_again, change"

  private static func explanation(_ row: PostgresRow) throws -> StoredExplanation {
    guard let outcome = StoredExplanation.Outcome(rawValue: try row.text(1)) else { throw row.unexpected(1) }
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
      outcome: outcome,
      text: text,
      fetchedAt: try row.date(5),
      lookAgain: try row.optionalDate(6),
      change: try row.int(7)
    )
  }
}
