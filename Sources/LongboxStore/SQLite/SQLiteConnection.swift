// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB

extension SQLDialect {
  /// A list is a JSON array; no rows need locks, because one transaction at a time writes.
  static let sqlite = SQLDialect(
    list: ("IN (SELECT value FROM json_each(", "))"),
    lockingRows: "",
    lockingFreeRows: "",
    now: "CAST(strftime('%s', 'now') AS integer)",
    node: "'this'",
    notifying: "",
    hasChangingQueries: false
  )
}

extension Database: SQLConnection {
  var dialect: SQLDialect { .sqlite }

  func rows<Value>(
    _ sql: String,
    _ values: [SQLValue],
    _ read: (any SQLRow) throws -> Value
  ) throws -> [Value] {
    let statement = try cachedStatement(sql: sql)
    let cursor = try Row.fetchCursor(statement, arguments: ParameterOrder(sql).arguments(values))
    var readValues: [Value] = []
    while let row = try cursor.next() { readValues.append(try read(row)) }
    return readValues
  }

  @discardableResult
  func change(_ sql: String, _ values: [SQLValue]) throws -> Int {
    try cachedStatement(sql: sql).execute(arguments: ParameterOrder(sql).arguments(values))
    return changesCount
  }

  func change(_ sql: String, each rows: [[SQLValue]]) throws {
    let (statement, order) = (try cachedStatement(sql: sql), ParameterOrder(sql))
    for values in rows { try statement.execute(arguments: order.arguments(values)) }
  }

  func lock(_ value: SQLValue) {}

  func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    var value: Value?
    try inTransaction(.immediate) {
      value = try body()
      return .commit
    }
    guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
    return value
  }

  func lastID(of table: String) throws -> Int64 {
    try first("SELECT seq FROM sqlite_sequence WHERE name = $1", .text(table)) { row in try row.int64(0) }
      ?? 0
  }

  func skipIDs(of table: String, upTo id: Int64) throws {
    guard try lastID(of: table) < id else { return }
    try change("DELETE FROM sqlite_sequence WHERE name = $1", .text(table))
    try change("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)", .text(table), .integer(id))
  }
}

/// The order in which a statement's parameters occur, which is that of SQLite's indices for the names `$1`, `$2`, ….
private struct ParameterOrder {
  private var parameters: [Int] = []

  init(_ sql: String) {
    var number: Int?
    for byte in sql.utf8 {
      switch (byte, number) {
      case (UInt8(ascii: "$"), _): number = 0
      case (UInt8(ascii: "0")...UInt8(ascii: "9"), let before?):
        number = before * 10 + Int(byte - UInt8(ascii: "0"))
      default:
        add(number)
        number = nil
      }
    }
    add(number)
  }

  private mutating func add(_ number: Int?) {
    guard let number, !parameters.contains(number) else { return }
    parameters.append(number)
  }

  func arguments(_ values: [SQLValue]) throws -> StatementArguments {
    StatementArguments(try parameters.map { try values[$0 - 1].databaseValue })
  }
}

extension SQLValue {
  fileprivate var databaseValue: DatabaseValue {
    get throws {
      switch self {
      case .null: .null
      case .integer(let value): value.databaseValue
      case .boolean(let value): value.databaseValue
      case .text(let value): value.databaseValue
      case .bytes(let value): Data(value).databaseValue
      case .integers(let values): "[\(values.map { String($0) }.joined(separator: ","))]".databaseValue
      case .texts, .byteArrays:
        throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "a list has values other than numbers")
      }
    }
  }
}

extension Row: SQLRow {
  func isNull(_ column: Int) -> Bool { hasNull(atIndex: column) }

  // Other accessors of GRDB convert a value of another type, or end the process, if the file is damaged.
  func optionalInt64(_ column: Int) throws -> Int64? {
    switch (self[column] as DatabaseValue).storage {
    case .null: nil
    case .int64(let value): value
    case .double, .string, .blob: throw unexpected(column)
    }
  }

  func optionalText(_ column: Int) throws -> String? {
    switch (self[column] as DatabaseValue).storage {
    case .null: nil
    case .string(let value): value
    case .int64, .double, .blob: throw unexpected(column)
    }
  }

  func optionalBytes(_ column: Int) throws -> [UInt8]? {
    try withUnsafeData(atIndex: column) { data in data.map { [UInt8]($0) } }
  }

  func bool(_ column: Int) throws -> Bool { try int64(column) != 0 }

  func unexpected(_ column: Int) -> any Error {
    let name = Array(columnNames)[column]
    return DatabaseError(resultCode: .SQLITE_CORRUPT, message: "unexpected value in the column \(name)")
  }
}
