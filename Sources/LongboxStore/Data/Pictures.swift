// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The rows of the pictures and their files, within one read or one transaction.
struct Pictures {
  let database: any SQLConnection

  func facts(of number: Comic.Number) throws -> PictureFacts? {
    try database.first("SELECT \(Self.columns) FROM picture WHERE number = $1", .init(number)) { row in
      try Self.facts(row, from: 0)
    }
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
    try database.change(
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

  /// Stores whether there is a double-size picture; returns whether that has changed.
  func put(doubleSize: PictureFacts.DoubleSize, of number: Comic.Number) throws -> Bool {
    try database.change(
      "UPDATE picture SET double_size = $1 WHERE number = $2 AND double_size <> $1",
      .init(Int(doubleSize.rawValue)),
      .init(number)
    ) > 0
  }

  /// Stores whether there is a larger version; returns whether that has changed.
  func put(larger: PictureFacts.Larger, of number: Comic.Number) throws -> Bool {
    try database.change(
      "UPDATE picture SET larger = $1 WHERE number = $2 AND larger <> $1",
      .init(Int(larger.rawValue)),
      .init(number)
    ) > 0
  }

  func file(_ kind: PictureKind, of number: Comic.Number) throws -> PictureFile? {
    try database.first(
      "SELECT name, byte_count FROM picture_file WHERE number = $1 AND kind = $2",
      .init(number),
      .text(kind.rawValue)
    ) { row in try row.pictureFile() }
  }

  /// Adds a file; returns the name of the file that it replaces.
  func put(_ file: PictureFile, as kind: PictureKind, of number: Comic.Number) throws -> ContentName? {
    let before = try self.file(kind, of: number)
    try database.change(
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
    try database.rows("SELECT DISTINCT name, byte_count FROM picture_file ORDER BY name") { row in
      try row.pictureFile()
    }
  }

  func totals() throws -> PictureTotals {
    try database.first(
      """
      SELECT count(*), CAST(coalesce(sum(byte_count), 0) AS bigint)
      FROM (SELECT DISTINCT name, byte_count FROM picture_file) AS file
      """
    ) { row in PictureTotals(files: try row.int(0), bytes: try row.int(1)) } ?? PictureTotals()
  }

  /// Removes a missing or damaged file from the table, so that it is fetched or made again.
  func forget(_ name: ContentName) throws {
    try database.change(
      """
      DELETE FROM comic_fetch WHERE (number, thing) IN (
        SELECT number, CASE kind WHEN 'standard' THEN 'picture' ELSE kind END FROM picture_file WHERE name = $1
      )
      """,
      .text(name.value)
    )
    try database.change("DELETE FROM picture_file WHERE name = $1", .text(name.value))
  }

  /// Removes a comic's files from the table, and returns their names.
  func forgetFiles(of number: Comic.Number) throws -> [ContentName] {
    try database.rows("DELETE FROM picture_file WHERE number = $1 RETURNING name, byte_count", .init(number))
    {
      row in try row.pictureFile().name
    }
  }

  /// The size of the files with a name; nil if no row has it.
  func byteCount(of name: ContentName) throws -> Int? {
    try database.first("SELECT byte_count FROM picture_file WHERE name = $1 LIMIT 1", .text(name.value)) {
      row in try row.int(0)
    }
  }

  /// The columns of the facts.
  static let columns = """
    width, height, byte_count, frames, format, is_transparent, colour_permille, lightness, double_size, version, larger
    """

  /// Reads the facts, beginning at a column.
  static func facts(_ row: SQLRow, from column: Int) throws -> PictureFacts {
    guard let format = PictureFacts.Format(rawValue: .init(clamping: try row.int(column + 4))) else {
      throw row.unexpected(column + 4)
    }
    guard let doubleSize = PictureFacts.DoubleSize(rawValue: .init(clamping: try row.int(column + 8))) else {
      throw row.unexpected(column + 8)
    }
    guard let larger = PictureFacts.Larger(rawValue: .init(clamping: try row.int(column + 10))) else {
      throw row.unexpected(column + 10)
    }
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

extension SQLConnection {
  var pictures: Pictures { Pictures(database: self) }

  /// The files that rows refer to.
  func pictureFiles() throws -> [(folder: PictureFolder, file: PictureFile)] {
    try pictures.files().map { (.pictures, $0) } + albums.artworkFiles().map { (.artwork, $0) }
  }

  /// Whether a row refers to a file.
  func uses(_ name: ContentName, in folder: PictureFolder) throws -> Bool {
    switch folder {
    case .pictures: try pictures.byteCount(of: name) != nil
    case .artwork: try albums.hasArtwork(name)
    }
  }
}
