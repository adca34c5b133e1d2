// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB

/// An SQLite database as one side of a copy.
struct SQLiteCopiedStore: CopyTarget {
  let database: Database
  let files: PictureFiles
  let artworkFiles: PictureFiles

  init(_ database: Database, _ place: StorePlace) {
    self.database = database
    files = PictureFiles(place.pictures)
    artworkFiles = PictureFiles(place.artwork)
  }

  func rows(of table: CopiedTable, after key: CopiedRow?) throws -> [CopiedRow] {
    let names = table.columns.map { "\"\($0.name)\"" }
    let keys = names.prefix(table.keyCount).joined(separator: ", ")
    let marks = Array(repeating: "?", count: table.keyCount).joined(separator: ", ")
    let condition = key == nil ? "" : "WHERE (\(keys)) > (\(marks)) "
    let select = try database.cachedStatement(
      sql: """
        SELECT \(names.joined(separator: ", ")) FROM "\(table.name)" \(condition)ORDER BY \(keys) LIMIT \(table.batch)
        """
    )
    let arguments = StatementArguments((key ?? []).map(\.databaseValue))
    let rows = try Row.fetchCursor(select, arguments: arguments)
    var copied: [CopiedRow] = []
    while let row = try rows.next() {
      copied.append(try (0..<table.columns.count).map { try CopiedValue(row[$0] as DatabaseValue) })
    }
    return copied
  }

  func lastKey(of table: CopiedTable) throws -> CopiedRow? {
    let names = table.columns.prefix(table.keyCount).map { "\"\($0.name)\"" }
    let order = names.map { "\($0) DESC" }.joined(separator: ", ")
    let sql = "SELECT \(names.joined(separator: ", ")) FROM \"\(table.name)\" ORDER BY \(order) LIMIT 1"
    guard let row = try Row.fetchOne(database, sql: sql) else { return nil }
    return try (0..<table.keyCount).map { try CopiedValue(row[$0] as DatabaseValue) }
  }

  func lastID(of table: CopiedTable) throws -> Int64 {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = ?"
    return try Int64.fetchOne(database, sql: sql, arguments: [table.name]) ?? 0
  }

  func pictures() throws -> [(folder: PictureFolder, file: PictureFile)] {
    try SQLiteTables(database: database).pictureFiles()
  }

  func picture(_ file: PictureFile, in folder: PictureFolder) throws -> [UInt8]? {
    try files(in: folder).read(file.name, byteCount: file.byteCount)
  }

  func insert(_ rows: [CopiedRow], into table: CopiedTable) throws {
    let names = table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let marks = Array(repeating: "?", count: table.columns.count).joined(separator: ", ")
    try database.inTransaction(.immediate) {
      let insert = try database.cachedStatement(
        sql: "INSERT INTO \"\(table.name)\" (\(names)) VALUES (\(marks))"
      )
      for row in rows { try insert.execute(arguments: StatementArguments(row.map(\.databaseValue))) }
      return .commit
    }
  }

  func skipIDs(of table: CopiedTable, upTo id: Int64) throws {
    guard try lastID(of: table) < id else { return }
    try database.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table.name])
    try database.execute(
      sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
      arguments: [table.name, id]
    )
  }

  func clear() throws {
    for table in CopiedTable.all.reversed() { try database.execute(sql: "DELETE FROM \"\(table.name)\"") }
  }

  func hasPicture(_ file: PictureFile, in folder: PictureFolder) throws -> Bool {
    files(in: folder).isWhole(file.name, byteCount: file.byteCount)
  }

  func put(_ picture: [UInt8], _ file: PictureFile, in folder: PictureFolder) throws {
    try files(in: folder).write(picture, as: file.name)
  }

  private func files(in folder: PictureFolder) -> PictureFiles {
    switch folder {
    case .pictures: files
    case .artwork: artworkFiles
    }
  }
}

extension CopiedValue {
  /// - Throws: an error of SQLite if the value is a number that no column has: all are whole.
  fileprivate init(_ value: DatabaseValue) throws {
    switch value.storage {
    case .null: self = .null
    case .int64(let value): self = .integer(value)
    case .double(let value):
      guard let whole = Int64(exactly: value) else {
        throw DatabaseError(
          resultCode: .SQLITE_CORRUPT,
          message: "there is a number that isn't whole, or too large"
        )
      }
      self = .integer(whole)
    // PostgreSQL has no U+0000 in texts.
    case .string(let value): self = .text(value.replacing("\0", with: "\u{FFFD}"))
    case .blob(let value): self = .bytes([UInt8](value))
    }
  }

  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .bytes(let value): Data(value).databaseValue
    }
  }
}
