// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

struct SQLiteComicTable: ComicTable {
  let database: Database

  func revision() throws -> Revision {
    Revision(try Int.fetchOne(database, sql: "SELECT max(revision) FROM comic") ?? 0)
  }

  func count() throws -> Int {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM comic") ?? 0
  }

  func newest() throws -> Comic.Number? {
    try Int.fetchOne(database, sql: "SELECT max(number) FROM comic").flatMap { Comic.Number($0) }
  }

  func numbers() throws -> [Comic.Number] {
    try Int.fetchAll(database, sql: "SELECT number FROM comic").compactMap { Comic.Number($0) }
  }

  func raw(_ number: Comic.Number) throws -> [UInt8]? {
    try Row.fetchOne(database, sql: "SELECT raw FROM comic WHERE number = ?", arguments: [number.value])?
      .bytes("raw")
  }

  func comic(_ number: Comic.Number) throws -> StoredComic? {
    try Row.fetchOne(database, sql: Self.selection + " WHERE comic.number = ?", arguments: [number.value])
      .map(Self.comic)
  }

  func comics(changedSince revision: Revision) throws -> [StoredComic] {
    let sql = Self.selection + " WHERE comic.revision > ? ORDER BY comic.number"
    let rows = try Row.fetchCursor(database, sql: sql, arguments: [revision.value])
    var comics: [StoredComic] = []
    while let row = try rows.next() { comics.append(try Self.comic(row)) }
    return comics
  }

  func changes(after revision: Revision, _ number: Int, upTo last: Revision, limit: Int) throws
    -> [StoredChange]
  {
    let sql = """
      SELECT number, revision FROM comic
      WHERE (revision, number) > (?, ?) AND revision <= ?
      ORDER BY revision, number LIMIT ?
      """
    let rows = try Row.fetchCursor(
      database,
      sql: sql,
      arguments: [revision.value, number, last.value, limit]
    )
    var changes: [StoredChange] = []
    while let row = try rows.next() {
      changes.append(StoredChange(number: try row.number(), revision: Revision(try row.value("revision"))))
    }
    return changes
  }

  /// Stores fetched records; all real changes get one new revision.
  func save(_ records: [FetchedRecord]) throws -> SaveCounts {
    let revision = try self.revision().value + 1
    let fetches = SQLiteFetchTable(database: database)
    var counts = SaveCounts()
    for record in records {
      let raw = Data(record.raw)
      let isSame = try isStored(raw, as: record.number)
      switch isSame {
      case nil: counts.inserted += 1
      case true: counts.unchanged += 1
      default: counts.changed += 1
      }
      if isSame == true {
        try confirm(record.number, validator: record.validator, at: record.fetchedAt)
      } else {
        try put(record, raw: raw, revision: revision)
      }
      try fetches.noteFetched(.record, of: record.number, lookAgain: record.lookAgain)
    }
    return counts
  }

  /// Notes that the source has confirmed the stored record; returns whether there is one.
  @discardableResult
  func confirm(_ number: Comic.Number, validator: StoredValidator, at date: Date) throws -> Bool {
    let update = try database.cachedStatement(
      sql: "UPDATE comic SET etag = ?, lastModified = ?, fetchedAt = ? WHERE number = ?"
    )
    try update.execute(arguments: [validator.etag, validator.lastModified, date.seconds, number.value])
    return database.changesCount > 0
  }

  /// Gives comics a new revision, because something outside their records has changed; those not stored are ignored.
  func noteChange(of numbers: [Comic.Number]) throws {
    guard !numbers.isEmpty else { return }
    let revision = try self.revision().value + 1
    let update = try database.cachedStatement(sql: "UPDATE comic SET revision = ? WHERE number = ?")
    for number in numbers { try update.execute(arguments: [revision, number.value]) }
  }

  /// Whether the same record is stored; nil if none is.
  private func isStored(_ raw: Data, as number: Comic.Number) throws -> Bool? {
    let select = try database.cachedStatement(sql: "SELECT raw = ? FROM comic WHERE number = ?")
    return try Bool.fetchOne(select, arguments: [raw, number.value])
  }

  private func put(_ record: FetchedRecord, raw: Data, revision: Int) throws {
    let upsert = try database.cachedStatement(
      sql: """
        INSERT INTO comic (number, raw, etag, lastModified, fetchedAt, revision) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (number) DO UPDATE SET
          raw = excluded.raw, etag = excluded.etag, lastModified = excluded.lastModified,
          fetchedAt = excluded.fetchedAt, revision = excluded.revision
        """
    )
    let validator = record.validator
    try upsert.execute(
      arguments: [
        record.number.value, raw, validator.etag, validator.lastModified, record.fetchedAt.seconds, revision,
      ]
    )
  }

  private static let selection = """
    SELECT comic.number, raw, etag, lastModified, fetchedAt, revision,
      width, height, byteCount, frames, format, isTransparent, colourPermille, lightness, doubleSize,
      larger, version
    FROM comic LEFT JOIN picture ON picture.number = comic.number
    """

  private static func comic(_ row: Row) throws -> StoredComic {
    StoredComic(
      number: try row.number(),
      raw: try row.bytes("raw"),
      validator: try row.validator(),
      fetchedAt: Date(seconds: try row.value("fetchedAt")),
      picture: (try row.value("width") as Int?) == nil ? nil : try SQLitePictureTable.facts(row),
      revision: Revision(try row.value("revision"))
    )
  }
}
