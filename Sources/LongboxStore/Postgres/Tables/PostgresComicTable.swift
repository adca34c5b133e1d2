// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

struct PostgresComicTable: ComicTable {
  let session: PostgresSession

  func revision() throws -> Revision {
    Revision(try session.execute("SELECT value FROM counter WHERE name = 'comics'").first?.int(0) ?? 0)
  }

  func count() throws -> Int {
    try session.execute("SELECT count(*) FROM comic").first?.int(0) ?? 0
  }

  func newest() throws -> Comic.Number? {
    try session.execute("SELECT max(number) FROM comic").first?.optionalInt(0).flatMap { Comic.Number($0) }
  }

  func numbers() throws -> [Comic.Number] {
    try session.execute("SELECT number FROM comic").map { try $0.number(0) }
  }

  func raw(_ number: Comic.Number) throws -> [UInt8]? {
    try session.execute("SELECT raw FROM comic WHERE number = $1", .init(number)).first?.bytes(0)
  }

  func comic(_ number: Comic.Number) throws -> StoredComic? {
    try session.execute(Self.selection + " WHERE comic.number = $1", .init(number)).first.map(Self.comic)
  }

  func comics(changedSince revision: Revision) throws -> [StoredComic] {
    let sql = Self.selection + " WHERE comic.revision > $1 ORDER BY comic.number"
    return try session.execute(sql, .init(revision.value)).map(Self.comic)
  }

  func changes(after revision: Revision, _ number: Int, upTo last: Revision, limit: Int) throws
    -> [StoredChange]
  {
    let sql = """
      SELECT number, revision FROM comic WHERE (revision, number) > ($1, $2) AND revision <= $3
      ORDER BY revision, number LIMIT $4
      """
    return try session.execute(sql, .init(revision.value), .init(number), .init(last.value), .init(limit))
      .map { StoredChange(number: try $0.number(0), revision: Revision(try $0.int(1))) }
  }

  func confirm(_ number: Comic.Number, validator: StoredValidator, at date: Date) throws -> Bool {
    try session.execute(
      "UPDATE comic SET etag = $2, last_modified = $3, fetched_at = $4 WHERE number = $1",
      .init(number),
      .init(validator.etag),
      .init(validator.lastModified),
      .init(date)
    ).changed > 0
  }

  func noteChange(of numbers: [Comic.Number]) throws {
    guard !numbers.isEmpty else { return }
    let revision = try PostgresCounter.comics.lock(in: session) + 1
    let changed = try session.execute(
      "UPDATE comic SET revision = $1 WHERE number = ANY($2)",
      .init(revision),
      .init(numbers)
    ).changed
    if changed > 0 { try PostgresCounter.comics.set(revision, in: session) }
  }

  private static let selection = """
    SELECT comic.number, raw, etag, last_modified, fetched_at, revision, \(PostgresPictureTable.columns)
    FROM comic LEFT JOIN picture ON picture.number = comic.number
    """

  private static func comic(_ row: PostgresRow) throws -> StoredComic {
    StoredComic(
      number: try row.number(0),
      raw: try row.bytes(1),
      validator: try row.validator(2),
      fetchedAt: try row.date(4),
      picture: row.isNull(6) ? nil : try PostgresPictureTable.facts(row, from: 6),
      revision: Revision(try row.int(5))
    )
  }
}
