// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

extension SQLDialect {
  /// A list is a JSON array; no rows need locks, because one transaction at a time writes.
  static let sqlite = SQLDialect(
    list: ("IN (SELECT value FROM json_each(", "))"),
    numbers: """
      WITH RECURSIVE below (number) AS (SELECT $1 UNION ALL SELECT number - 1 FROM below WHERE number > 1)
      SELECT number FROM below
      """,
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
    _ read: (SQLRow) throws -> Value
  ) throws -> [Value] {
    let statement = try cachedStatement(sql: sql)
    let cursor = try Row.fetchCursor(statement, arguments: ParameterOrder(sql).arguments(values))
    var readValues: [Value] = []
    while let row = try cursor.next() { readValues.append(try read(.sqlite(row))) }
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
    // The initializer for values of one type reads each by a key path, which takes longer than SQLite does.
    StatementArguments(try parameters.map { try values[$0 - 1].argument })
  }
}

extension SQLValue {
  fileprivate var argument: (any DatabaseValueConvertible)? {
    get throws {
      switch self {
      case .null: nil
      case .integer(let value): value
      case .boolean(let value): value
      case .text(let value): value
      case .bytes(let value): Data(value)
      case .integers(let values): "[\(values.map { String($0) }.joined(separator: ","))]"
      case .texts, .byteArrays:
        throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "a list has values other than numbers")
      }
    }
  }
}

extension Row {
  // A subscript with a type would end the process if the file is damaged.
  func optionalInt64(_ column: Int) throws -> Int64? {
    guard let value = try decode(Int64?.self, atIndex: column) else { return nil }
    // SQLite takes a text that isn't a number for 0. Asking for the type each time would take a third longer.
    guard value == 0 else { return value }
    guard case .int64 = (self[column] as DatabaseValue).storage else { throw unexpected(column) }
    return value
  }

  func optionalText(_ column: Int) throws -> String? { try decode(String?.self, atIndex: column) }

  func optionalBytes(_ column: Int) throws -> [UInt8]? {
    try withUnsafeData(atIndex: column) { data in data.map { [UInt8]($0) } }
  }

  func unexpected(_ column: Int) -> any Error {
    let name = Array(columnNames)[column]
    return DatabaseError(resultCode: .SQLITE_CORRUPT, message: "unexpected value in the column \(name)")
  }
}

extension StoreError {
  /// Converts any error of a read or write.
  /// - Parameters:
  ///   - error: from GRDB, a file, or already a `StoreError`.
  ///   - place: where the store is.
  init(_ error: any Error, in place: StorePlace) {
    switch error {
    case let error as StoreError: self = error
    case is CancellationError: self = .cancelled
    case let error as DatabaseError: self.init(error, in: place)
    case let error as FileError: self.init(error, in: place)
    case let error as DamagedLibrary: self = .damaged(file: place.database.path, reason: error.reason)
    default: self = .failed(file: place.database.path, reason: String(describing: error))
    }
  }

  /// Converts a result code of SQLite (https://www.sqlite.org/rescode.html).
  private init(_ error: DatabaseError, in place: StorePlace) {
    let file = place.database.path
    let reason = error.message ?? "code \(error.extendedResultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(file: file, reason: reason)
    case .SQLITE_FULL: self = .diskFull(folder: place.folder.path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(file: file)
    case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_IOERR:
      self.init(unusable: file, reason: reason, in: place)
    case .SQLITE_ABORT, .SQLITE_INTERRUPT: self = .cancelled
    default: self = .failed(file: file, reason: reason)
    }
  }

  private init(_ error: FileError, in place: StorePlace) {
    if error.isDiskFull {
      self = .diskFull(folder: place.folder.path)
    } else {
      self.init(unusable: error.path, reason: error.reason, in: place)
    }
  }

  /// A file or folder that can't be used; if this process lacks rights, the advice says whose it is.
  private init(unusable path: String, reason: String, in place: StorePlace) {
    if let rights = FilePlace.missingRights(at: path, in: place.folder) {
      self = .unusable(path: path, reason: reason, advice: rights)
    } else {
      self = .unusable(path: path, reason: reason)
    }
  }
}
