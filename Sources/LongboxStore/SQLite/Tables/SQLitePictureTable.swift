// Longbox
// SPDX-License-Identifier: MIT

import GRDB
import LongboxCore

struct SQLitePictureTable: PictureTable {
  let database: Database

  func facts(of number: Comic.Number) throws -> PictureFacts? {
    try Row.fetchOne(database, sql: "SELECT * FROM picture WHERE number = ?", arguments: [number.value])
      .map(Self.facts)
  }

  /// Stores a picture's facts; returns whether they have changed.
  func put(_ facts: PictureFacts, rulesVersion: Int, of number: Comic.Number) throws -> Bool {
    let before = try self.facts(of: number)
    var facts = facts
    if let before {
      if facts.doubleSize == .unknown { facts.doubleSize = before.doubleSize }
      if facts.larger == .unknown { facts.larger = before.larger }
      if facts.version == 0 { facts.version = before.version }
    }
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO picture (number, width, height, byteCount, frames, format, isTransparent,
          colourPermille, lightness, doubleSize, larger, version, rulesVersion)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        number.value, facts.width, facts.height, facts.byteCount, facts.frames, facts.format.rawValue,
        facts.isTransparent, facts.colourPermille, facts.lightness, facts.doubleSize.rawValue,
        facts.larger.rawValue, facts.version, rulesVersion,
      ]
    )
    return facts != before
  }

  /// Stores whether there is a double-size picture; returns whether that has changed.
  func put(_ doubleSize: PictureFacts.DoubleSize, of number: Comic.Number) throws -> Bool {
    try database.execute(
      sql: "UPDATE picture SET doubleSize = ?1 WHERE number = ?2 AND doubleSize <> ?1",
      arguments: [doubleSize.rawValue, number.value]
    )
    return database.changesCount > 0
  }

  /// Stores whether there is a larger version; returns whether that has changed.
  func put(larger: PictureFacts.Larger, of number: Comic.Number) throws -> Bool {
    try database.execute(
      sql: "UPDATE picture SET larger = ?1 WHERE number = ?2 AND larger <> ?1",
      arguments: [larger.rawValue, number.value]
    )
    return database.changesCount > 0
  }

  func file(_ kind: PictureKind, of number: Comic.Number) throws -> PictureFile? {
    try Row.fetchOne(
      database,
      sql: "SELECT name, byteCount FROM pictureFile WHERE number = ? AND kind = ?",
      arguments: [number.value, kind.rawValue]
    )
    .map(Self.file)
  }

  func put(_ file: PictureFile, as kind: PictureKind, of number: Comic.Number) throws -> ContentName? {
    let before = try self.file(kind, of: number)
    try database.execute(
      sql: "INSERT OR REPLACE INTO pictureFile (number, kind, name, byteCount) VALUES (?, ?, ?, ?)",
      arguments: [number.value, kind.rawValue, file.name.value, file.byteCount]
    )
    return before?.name == file.name ? nil : before?.name
  }

  func files() throws -> [PictureFile] {
    try Row.fetchAll(database, sql: "SELECT DISTINCT name, byteCount FROM pictureFile ORDER BY name").map(
      Self.file
    )
  }

  func totals() throws -> PictureTotals {
    let sql =
      "SELECT count(*), coalesce(sum(byteCount), 0) FROM (SELECT DISTINCT name, byteCount FROM pictureFile)"
    guard let row = try Row.fetchOne(database, sql: sql) else { return PictureTotals() }
    return PictureTotals(files: try row.value(0), bytes: try row.value(1))
  }

  /// Removes a missing or damaged file from the table, so that it is fetched or made again.
  func forget(_ name: ContentName) throws {
    try database.execute(
      sql: """
        DELETE FROM fetch WHERE (number, thing) IN (
          SELECT number, CASE kind WHEN 'standard' THEN 'picture' ELSE kind END FROM pictureFile WHERE name = ?
        )
        """,
      arguments: [name.value]
    )
    try database.execute(sql: "DELETE FROM pictureFile WHERE name = ?", arguments: [name.value])
  }

  func forgetFiles(of number: Comic.Number) throws -> [ContentName] {
    let sql = "SELECT name, byteCount FROM pictureFile WHERE number = ?"
    let files = try Row.fetchAll(database, sql: sql, arguments: [number.value]).map(Self.file)
    try database.execute(sql: "DELETE FROM pictureFile WHERE number = ?", arguments: [number.value])
    return files.map(\.name)
  }

  /// The comics whose stored picture has no thumbnail, or facts from older rules.
  func outdated(before rulesVersion: Int, limit: Int) throws -> [Comic.Number] {
    try Int.fetchAll(
      database,
      sql: """
        SELECT number FROM picture
        WHERE EXISTS (SELECT 1 FROM pictureFile AS file WHERE file.number = picture.number AND kind = 'standard')
          AND (rulesVersion < ? OR NOT EXISTS (
            SELECT 1 FROM pictureFile AS file WHERE file.number = picture.number AND kind = 'thumbnail'))
        ORDER BY number DESC LIMIT ?
        """,
      arguments: [rulesVersion, limit]
    )
    .compactMap { Comic.Number($0) }
  }

  func byteCount(of name: ContentName) throws -> Int? {
    let sql = "SELECT byteCount FROM pictureFile WHERE name = ? LIMIT 1"
    return try Int.fetchOne(database, sql: sql, arguments: [name.value])
  }

  private static func file(_ row: Row) throws -> PictureFile {
    guard let name = ContentName(try row.value("name")) else { throw row.unexpected("name") }
    return PictureFile(name: name, byteCount: try row.value("byteCount"))
  }

  static func facts(_ row: Row) throws -> PictureFacts {
    guard let format = PictureFacts.Format(rawValue: try row.value("format")) else {
      throw row.unexpected("format")
    }
    guard let doubleSize = PictureFacts.DoubleSize(rawValue: try row.value("doubleSize")) else {
      throw row.unexpected("doubleSize")
    }
    guard let larger = PictureFacts.Larger(rawValue: try row.value("larger")) else {
      throw row.unexpected("larger")
    }
    return PictureFacts(
      width: try row.value("width"),
      height: try row.value("height"),
      byteCount: try row.value("byteCount"),
      frames: try row.value("frames"),
      format: format,
      isTransparent: try row.value("isTransparent"),
      colourPermille: try row.value("colourPermille"),
      lightness: try row.value("lightness"),
      doubleSize: doubleSize,
      larger: larger,
      version: try row.value("version")
    )
  }
}
