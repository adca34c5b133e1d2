// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

struct PostgresPictureTable: PictureTable {
  let session: PostgresSession

  func facts(of number: Comic.Number) throws -> PictureFacts? {
    let sql = "SELECT \(Self.columns) FROM picture WHERE number = $1"
    return try session.execute(sql, .init(number)).first.map { try Self.facts($0, from: 0) }
  }

  func put(_ facts: PictureFacts, rulesVersion: Int, of number: Comic.Number) throws -> Bool {
    let before = try self.facts(of: number)
    var facts = facts
    if let before {
      if facts.doubleSize == .unknown { facts.doubleSize = before.doubleSize }
      if facts.larger == .unknown { facts.larger = before.larger }
      if facts.version == 0 { facts.version = before.version }
    }
    try session.execute(
      """
      INSERT INTO picture (number, width, height, byte_count, frames, format, is_transparent, colour_permille,
        lightness, double_size, version, rules_version, larger)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      ON CONFLICT (number) DO UPDATE SET width = excluded.width, height = excluded.height,
        byte_count = excluded.byte_count, frames = excluded.frames, format = excluded.format,
        is_transparent = excluded.is_transparent, colour_permille = excluded.colour_permille,
        lightness = excluded.lightness, double_size = excluded.double_size, version = excluded.version,
        rules_version = excluded.rules_version, larger = excluded.larger
      """,
      .init(number),
      .init(Int(facts.width)),
      .init(Int(facts.height)),
      .init(Int(facts.byteCount)),
      .init(Int(facts.frames)),
      .init(Int(facts.format.rawValue)),
      .boolean(facts.isTransparent),
      .init(Int(facts.colourPermille)),
      .init(Int(facts.lightness)),
      .init(Int(facts.doubleSize.rawValue)),
      .init(Int(facts.version)),
      .init(rulesVersion),
      .init(Int(facts.larger.rawValue))
    )
    return facts != before
  }

  func put(_ doubleSize: PictureFacts.DoubleSize, of number: Comic.Number) throws -> Bool {
    try session.execute(
      "UPDATE picture SET double_size = $1 WHERE number = $2 AND double_size <> $1",
      .init(Int(doubleSize.rawValue)),
      .init(number)
    ).changed > 0
  }

  func put(larger: PictureFacts.Larger, of number: Comic.Number) throws -> Bool {
    try session.execute(
      "UPDATE picture SET larger = $1 WHERE number = $2 AND larger <> $1",
      .init(Int(larger.rawValue)),
      .init(number)
    ).changed > 0
  }

  func file(_ kind: PictureKind, of number: Comic.Number) throws -> PictureFile? {
    try session.execute(
      "SELECT name, byte_count FROM picture_file WHERE number = $1 AND kind = $2",
      .init(number),
      .text(kind.rawValue)
    )
    .first.map { try PictureFile($0) }
  }

  func put(_ file: PictureFile, as kind: PictureKind, of number: Comic.Number) throws -> ContentName? {
    let before = try self.file(kind, of: number)
    try session.execute(
      """
      INSERT INTO picture_file (number, kind, name, byte_count) VALUES ($1, $2, $3, $4)
      ON CONFLICT (number, kind) DO UPDATE SET name = excluded.name, byte_count = excluded.byte_count
      """,
      .init(number),
      .text(kind.rawValue),
      .text(file.name.value),
      .init(file.byteCount)
    )
    return before?.name == file.name ? nil : before?.name
  }

  func files() throws -> [PictureFile] {
    try session.execute("SELECT DISTINCT name, byte_count FROM picture_file ORDER BY name")
      .map { try PictureFile($0) }
  }

  func totals() throws -> PictureTotals {
    let row = try session.execute(
      """
      SELECT count(*), coalesce(sum(byte_count), 0)::bigint
      FROM (SELECT DISTINCT name, byte_count FROM picture_file) AS file
      """
    ).first
    return try row.map { PictureTotals(files: try $0.int(0), bytes: try $0.int(1)) } ?? PictureTotals()
  }

  func forget(_ name: ContentName) throws {
    try session.execute(
      """
      DELETE FROM comic_fetch WHERE (number, thing) IN (
        SELECT number, CASE kind WHEN 'standard' THEN 'picture' ELSE kind END FROM picture_file WHERE name = $1
      )
      """,
      .text(name.value)
    )
    try session.execute("DELETE FROM picture_file WHERE name = $1", .text(name.value))
  }

  func forgetFiles(of number: Comic.Number) throws -> [ContentName] {
    try session.execute(
      "DELETE FROM picture_file WHERE number = $1 RETURNING name, byte_count",
      .init(number)
    )
    .map { try PictureFile($0).name }
  }

  func outdated(before rulesVersion: Int, limit: Int) throws -> [Comic.Number] {
    try session.execute(
      """
      SELECT number FROM picture
      WHERE EXISTS (SELECT FROM picture_file AS file WHERE file.number = picture.number AND kind = 'standard')
        AND (rules_version < $1 OR NOT EXISTS (
          SELECT FROM picture_file AS file WHERE file.number = picture.number AND kind = 'thumbnail'))
      ORDER BY number DESC LIMIT $2
      """,
      .init(rulesVersion),
      .init(limit)
    )
    .map { try $0.number(0) }
  }

  func byteCount(of name: ContentName) throws -> Int? {
    try session.execute("SELECT byte_count FROM picture_file WHERE name = $1 LIMIT 1", .text(name.value))
      .first?.int(0)
  }

  /// The columns of the facts.
  static let columns = """
    width, height, byte_count, frames, format, is_transparent, colour_permille, lightness, double_size, version, larger
    """

  /// Reads the facts, beginning at a column.
  static func facts(_ row: PostgresRow, from column: Int) throws -> PictureFacts {
    guard
      let format = PictureFacts.Format(rawValue: .init(clamping: try row.int(column + 4))),
      let doubleSize = PictureFacts.DoubleSize(rawValue: .init(clamping: try row.int(column + 8))),
      let larger = PictureFacts.Larger(rawValue: .init(clamping: try row.int(column + 10)))
    else { throw row.unexpected(column + 4) }
    return PictureFacts(
      width: try row.int(column),
      height: try row.int(column + 1),
      byteCount: try row.int(column + 2),
      frames: try row.int(column + 3),
      format: format,
      isTransparent: try row.bool(column + 5),
      colourPermille: try row.int(column + 6),
      lightness: try row.int(column + 7),
      doubleSize: doubleSize,
      larger: larger,
      version: UInt32(clamping: try row.int(column + 9))
    )
  }
}

extension PictureFile {
  /// Reads a file from the first two columns, `name` and `byte_count`.
  init(_ row: PostgresRow) throws {
    guard let name = ContentName(try row.text(0)) else { throw row.unexpected(0) }
    self.init(name: name, byteCount: try row.int(1))
  }
}
