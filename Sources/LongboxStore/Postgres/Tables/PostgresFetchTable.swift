// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

struct PostgresFetchTable: FetchTable {
  let session: PostgresSession

  func status(_ part: ComicPart, of number: Comic.Number) throws -> FetchStatus {
    let sql = "SELECT \(Self.columns) FROM comic_fetch WHERE thing = $1 AND number = $2"
    let row = try session.execute(sql, .text(part.rawValue), .init(number)).first
    return try row.map(Self.status)
      ?? FetchStatus(number: number, part: part, state: .never, reason: nil, attempts: 0, nextTry: nil)
  }

  func failures() throws -> [FetchStatus] {
    try session.execute(
      "SELECT \(Self.columns) FROM comic_fetch WHERE state = 'failed' ORDER BY number DESC, thing"
    )
    .map(Self.status)
  }

  func noteFetched(_ part: ComicPart, of number: Comic.Number, lookAgain: Date?) throws {
    try note(.fetched, part, [(number, lookAgain)])
  }

  /// The same for several comics.
  func noteFetched(_ part: ComicPart, _ comics: [(number: Comic.Number, lookAgain: Date?)]) throws {
    try note(.fetched, part, comics)
  }

  func noteAbsent(_ part: ComicPart, of number: Comic.Number, lookAgain: Date?) throws {
    try note(.absent, part, [(number, lookAgain)])
  }

  func noteFailure(_ part: ComicPart, of number: Comic.Number, reason: String, nextTry: Date?) throws {
    try session.execute(
      """
      INSERT INTO comic_fetch (number, thing, state, reason, attempts, next_try) VALUES ($1, $2, 'failed', $3, 1, $4)
      ON CONFLICT (thing, number) DO UPDATE SET
        state = CASE comic_fetch.state WHEN 'fetched' THEN 'fetched' ELSE 'failed' END,
        reason = excluded.reason, attempts = comic_fetch.attempts + 1, next_try = excluded.next_try
      """,
      .init(number),
      .text(part.rawValue),
      .text(String(reason.prefix(FetchLimits.reasonLength))),
      .init(nextTry)
    )
  }

  func forget(_ number: Comic.Number) throws {
    try session.execute(
      "DELETE FROM comic_fetch WHERE number = $1 AND state IN ('failed', 'absent')",
      .init(number)
    )
    try session.execute("UPDATE comic_fetch SET reason = NULL, attempts = 0 WHERE number = $1", .init(number))
  }

  func forget(_ part: ComicPart, of number: Comic.Number) throws {
    try session.execute(
      "DELETE FROM comic_fetch WHERE thing = $1 AND number = $2",
      .text(part.rawValue),
      .init(number)
    )
  }

  func due(_ part: ComicPart, upTo newest: Comic.Number, by date: Date, limit: Int) throws
    -> [Comic.Number]
  {
    try session.execute(
      """
      SELECT candidate.number FROM (\(Self.candidates(for: part))) AS candidate (number)
      LEFT JOIN comic_fetch ON comic_fetch.number = candidate.number AND comic_fetch.thing = $2
      WHERE candidate.number <> 404
        AND (comic_fetch.number IS NULL OR \(StoredPause.fetch(part).isOver("comic_fetch.next_try", at: "$3")))
      ORDER BY candidate.number DESC LIMIT $4
      """,
      .init(newest),
      .text(part.rawValue),
      .init(date),
      .init(limit)
    )
    .map { try $0.number(0) }
  }

  func nextDate(_ part: ComicPart, after date: Date) throws -> Date? {
    try session.execute(
      """
      SELECT min(next_try) FROM comic_fetch
      WHERE thing = $1 AND NOT \(StoredPause.fetch(part).isOver("next_try", at: "$2"))
      """,
      .text(part.rawValue),
      .init(date)
    )
    .first?.optionalDate(0)
  }

  func progress(_ part: ComicPart, upTo newest: Comic.Number) throws -> FetchProgress {
    let rows = try session.execute(
      "SELECT state, count(*) FROM comic_fetch WHERE thing = $1 AND number <= $2 GROUP BY state",
      .text(part.rawValue),
      .init(newest)
    )
    var progress = FetchProgress()
    _ = try rows.map { row in
      switch FetchStatus.State(rawValue: try row.text(0)) {
      case .fetched: progress.fetched = try row.int(1)
      case .absent: progress.absent = try row.int(1)
      case .failed: progress.failed = try row.int(1)
      case .never, nil: throw row.unexpected(0)
      }
    }
    progress.never = newest.ordinal - progress.total
    return progress
  }

  private func note(
    _ state: FetchStatus.State,
    _ part: ComicPart,
    _ comics: [(number: Comic.Number, lookAgain: Date?)]
  ) throws {
    try session.execute(
      """
      INSERT INTO comic_fetch (thing, state, reason, attempts, number, next_try)
        SELECT $1, $2, NULL, 0, new.* FROM unnest($3::bigint[], $4::bigint[]) AS new
      ON CONFLICT (thing, number) DO UPDATE SET
        state = excluded.state, reason = NULL, attempts = 0, next_try = excluded.next_try
      """,
      .text(part.rawValue),
      .text(state.rawValue),
      .init(comics.map(\.number)),
      .integers(comics.map { $0.lookAgain?.seconds })
    )
  }

  /// The comics that have a part to fetch; a picture needs the record, which has its address.
  private static func candidates(for part: ComicPart) -> String {
    switch part {
    case .record: "SELECT generate_series(1, $1::bigint)"
    case .picture: "SELECT number FROM comic WHERE number <= $1::bigint"
    case .doubleSize, .larger: "SELECT number FROM picture WHERE number <= $1::bigint"
    }
  }

  private static let columns = "number, thing, state, reason, attempts, next_try"

  private static func status(_ row: PostgresRow) throws -> FetchStatus {
    guard let part = ComicPart(rawValue: try row.text(1)) else { throw row.unexpected(1) }
    guard let state = FetchStatus.State(rawValue: try row.text(2)) else { throw row.unexpected(2) }
    return FetchStatus(
      number: try row.number(0),
      part: part,
      state: state,
      reason: try row.optionalText(3),
      attempts: try row.int(4),
      nextTry: try row.optionalDate(5)
    )
  }
}
