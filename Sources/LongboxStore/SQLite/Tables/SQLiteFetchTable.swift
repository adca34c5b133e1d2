// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

struct SQLiteFetchTable: FetchTable {
  let database: Database

  func status(_ part: ComicPart, of number: Comic.Number) throws -> FetchStatus {
    let sql = "SELECT * FROM fetch WHERE thing = ? AND number = ?"
    guard let row = try Row.fetchOne(database, sql: sql, arguments: [part.rawValue, number.value]) else {
      return FetchStatus(number: number, part: part, state: .never, reason: nil, attempts: 0, nextTry: nil)
    }
    return try Self.status(row)
  }

  func failures() throws -> [FetchStatus] {
    try Row.fetchAll(database, sql: "SELECT * FROM fetch WHERE state = 'failed' ORDER BY number DESC, thing")
      .map(Self.status)
  }

  func noteFetched(_ part: ComicPart, of number: Comic.Number, lookAgain: Date?) throws {
    try note(.fetched, part, of: number, nextTry: lookAgain)
  }

  func noteAbsent(_ part: ComicPart, of number: Comic.Number, lookAgain: Date?) throws {
    try note(.absent, part, of: number, nextTry: lookAgain)
  }

  /// Counts a failed try; a stored part stays `fetched`.
  func noteFailure(_ part: ComicPart, of number: Comic.Number, reason: String, nextTry: Date?) throws {
    try database.execute(
      sql: """
        INSERT INTO fetch (number, thing, state, reason, attempts, nextTry) VALUES (?, ?, 'failed', ?, 1, ?)
        ON CONFLICT (thing, number) DO UPDATE SET
          state = CASE state WHEN 'fetched' THEN 'fetched' ELSE 'failed' END,
          reason = excluded.reason, attempts = attempts + 1, nextTry = excluded.nextTry
        """,
      arguments: [
        number.value, part.rawValue, String(reason.prefix(FetchLimits.reasonLength)), nextTry?.seconds,
      ]
    )
  }

  /// Resets a comic's failed and absent parts.
  func forget(_ number: Comic.Number) throws {
    try database.execute(
      sql: "DELETE FROM fetch WHERE number = ? AND state IN ('failed', 'absent')",
      arguments: [number.value]
    )
    try database.execute(
      sql: "UPDATE fetch SET reason = NULL, attempts = 0 WHERE number = ?",
      arguments: [number.value]
    )
  }

  /// Resets one part of a comic.
  func forget(_ part: ComicPart, of number: Comic.Number) throws {
    try database.execute(
      sql: "DELETE FROM fetch WHERE thing = ? AND number = ?",
      arguments: [part.rawValue, number.value]
    )
  }

  func due(_ part: ComicPart, upTo newest: Comic.Number, by date: Date, limit: Int) throws -> [Comic
    .Number]
  {
    try Int.fetchAll(
      database,
      sql: """
        WITH RECURSIVE \(Self.candidates(for: part))
        SELECT candidate.number FROM candidate
        LEFT JOIN fetch ON fetch.number = candidate.number AND fetch.thing = ?2
        WHERE candidate.number <> 404
          AND (fetch.number IS NULL OR \(StoredPause.fetch(part).isOver("fetch.nextTry", at: "?3")))
        ORDER BY candidate.number DESC LIMIT ?4
        """,
      arguments: [newest.value, part.rawValue, date.seconds, limit]
    )
    .compactMap { Comic.Number($0) }
  }

  func nextDate(_ part: ComicPart, after date: Date) throws -> Date? {
    try Int64.fetchOne(
      database,
      sql: """
        SELECT min(nextTry) FROM fetch WHERE thing = ?1 AND NOT \(StoredPause.fetch(part).isOver("nextTry", at: "?2"))
        """,
      arguments: [part.rawValue, date.seconds]
    )
    .map { Date(seconds: $0) }
  }

  func progress(_ part: ComicPart, upTo newest: Comic.Number) throws -> FetchProgress {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT state, count(*) AS comics FROM fetch WHERE thing = ? AND number <= ? GROUP BY state",
      arguments: [part.rawValue, newest.value]
    )
    var progress = FetchProgress()
    for row in rows {
      switch FetchStatus.State(rawValue: try row.value("state")) {
      case .fetched: progress.fetched = try row.value("comics")
      case .absent: progress.absent = try row.value("comics")
      case .failed: progress.failed = try row.value("comics")
      case .never, nil: throw row.unexpected("state")
      }
    }
    progress.never = newest.ordinal - progress.total
    return progress
  }

  private func note(
    _ state: FetchStatus.State,
    _ part: ComicPart,
    of number: Comic.Number,
    nextTry: Date?
  ) throws {
    let upsert = try database.cachedStatement(
      sql: """
        INSERT INTO fetch (number, thing, state, reason, attempts, nextTry) VALUES (?, ?, ?, NULL, 0, ?)
        ON CONFLICT (thing, number) DO UPDATE SET
          state = excluded.state, reason = NULL, attempts = 0, nextTry = excluded.nextTry
        """
    )
    try upsert.execute(arguments: [number.value, part.rawValue, state.rawValue, nextTry?.seconds])
  }

  /// The comics up to ?1 that have a part to fetch; a picture needs the record, which has its address.
  private static func candidates(for part: ComicPart) -> String {
    switch part {
    case .record:
      "candidate (number) AS (SELECT ?1 UNION ALL SELECT number - 1 FROM candidate WHERE number > 1)"
    case .picture:
      "candidate (number) AS (SELECT number FROM comic WHERE number <= ?1)"
    case .doubleSize, .larger:
      "candidate (number) AS (SELECT number FROM picture WHERE number <= ?1)"
    }
  }

  private static func status(_ row: Row) throws -> FetchStatus {
    guard let part = ComicPart(rawValue: try row.value("thing")) else { throw row.unexpected("thing") }
    guard let state = FetchStatus.State(rawValue: try row.value("state")) else {
      throw row.unexpected("state")
    }
    return FetchStatus(
      number: try row.number(),
      part: part,
      state: state,
      reason: try row.value("reason"),
      attempts: try row.value("attempts"),
      nextTry: try row.date("nextTry")
    )
  }
}
