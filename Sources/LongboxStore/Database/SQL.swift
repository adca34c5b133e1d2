// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

/// A connection to the database, within one read or one transaction; used on its thread only.
///
/// SQL is written once, for SQLite and for PostgreSQL: `$1` names a parameter, and may be used several times and in any
/// order. Its few differences are in ``SQLDialect``. Each statement is prepared once for each connection.
protocol SQLConnection: AnyObject {
  var dialect: SQLDialect { get }

  /// Runs a statement.
  /// - Parameters:
  ///   - sql: the statement.
  ///   - values: the value of `$1` and those that follow.
  ///   - read: makes a value of a row, which is valid only during the call. It runs no other statement.
  func rows<Value>(
    _ sql: String,
    _ values: [SQLValue],
    _ read: (SQLRow) throws -> Value
  ) throws -> [Value]

  /// Runs a statement that changes rows.
  /// - Returns: the number of changed rows.
  @discardableResult
  func change(_ sql: String, _ values: [SQLValue]) throws -> Int

  /// Runs a statement once for each of some rows of values; they need one round trip, if the database is far away.
  func change(_ sql: String, each rows: [[SQLValue]]) throws

  /// Makes other transactions that lock the same number or text wait until the end of this one.
  ///
  /// With SQLite, where one transaction at a time writes, there is nothing to do.
  func lock(_ value: SQLValue) throws

  /// Runs a transaction, on a connection that has none.
  func transaction<Value>(_ body: () throws -> Value) throws -> Value

  /// The last id that a table has assigned.
  func lastID(of table: String) throws -> Int64

  /// Makes later rows of a table get greater ids than this one.
  func skipIDs(of table: String, upTo id: Int64) throws
}

extension SQLConnection {
  func rows<Value>(
    _ sql: String,
    _ values: SQLValue...,
    read: (SQLRow) throws -> Value
  ) throws -> [Value] {
    try rows(sql, values, read)
  }

  /// The value of the first row; nil if there is no row.
  func first<Value>(
    _ sql: String,
    _ values: SQLValue...,
    read: (SQLRow) throws -> Value
  ) throws -> Value? {
    try rows(sql, values, read).first
  }

  /// The number in the first row of a statement; 0 if there is no row.
  func number(_ sql: String, _ values: SQLValue...) throws -> Int {
    try rows(sql, values) { row in try row.int(0) }.first ?? 0
  }

  @discardableResult
  func change(_ sql: String, _ values: SQLValue...) throws -> Int { try change(sql, values) }
}

/// What differs in the SQL of the two databases.
struct SQLDialect: Sendable {
  /// What stands before and after a list's parameter, see ``isIn(_:)``.
  let list: (before: String, after: String)
  /// A query for the numbers from 1 to the parameter `$1`.
  let numbers: String
  /// The end of a SELECT that locks its rows until the end of the transaction.
  let lockingRows: String
  /// The same, but it leaves out rows that another transaction has locked.
  let lockingFreeRows: String
  /// The database's time, in seconds since 1970 UTC.
  let now: String
  /// The name of this node among those on the database.
  let node: String
  /// The end of an UPDATE that notifies all nodes at the commit of a change of the counter `$1` to `$2`.
  let notifying: String
  /// Whether a WITH query may change rows.
  let hasChangingQueries: Bool

  /// A condition: whether the value before it is in the list of numbers that is a statement's parameter.
  func isIn(_ parameter: String) -> String { "\(list.before)\(parameter)\(list.after)" }
}

/// The value of a statement's parameter.
enum SQLValue: Hashable, Sendable, ExpressibleByNilLiteral {
  case null
  case integer(Int64)
  case boolean(Bool)
  case text(String)
  case bytes([UInt8])
  case integers([Int64])
  /// For PostgreSQL only.
  case texts([String])
  /// For PostgreSQL only.
  case byteArrays([[UInt8]?])

  init(nilLiteral: ()) { self = .null }

  init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
  init(_ value: String?) { self = value.map { .text($0) } ?? .null }
  /// A time in whole seconds.
  init(_ date: Date?) { self = date.map { .integer($0.seconds) } ?? .null }
  init(_ bytes: [UInt8]?) { self = bytes.map { .bytes($0) } ?? .null }
  init(_ number: Comic.Number) { self = .integer(Int64(number.value)) }
  init(_ numbers: [Comic.Number]) { self = .integers(numbers.map { Int64($0.value) }) }
  init(_ library: LibraryName) { self = .bytes(library.bytes) }
  init(_ album: StoreID) { self = .integer(Int64(album.value)) }
  /// All 64 bits of a number, which may then be negative in the database.
  init(bits number: UInt64) { self = .integer(Int64(bitPattern: number)) }
}

/// A row of a result.
///
/// Columns are read by index: for many rows, looking up their names takes longer than everything else. Each accessor
/// throws ``unexpected(_:)`` if the column has another type or must not be NULL. An enumeration of both drivers' rows is
/// twice as fast as a protocol would be.
enum SQLRow {
  case sqlite(Row)
  case postgres(PostgresRow)

  func isNull(_ column: Int) -> Bool {
    switch self {
    case .sqlite(let row): row.hasNull(atIndex: column)
    case .postgres(let row): row.isNull(column)
    }
  }

  func optionalInt64(_ column: Int) throws -> Int64? {
    switch self {
    case .sqlite(let row): try row.optionalInt64(column)
    case .postgres(let row): try row.optionalInt64(column)
    }
  }

  func optionalText(_ column: Int) throws -> String? {
    switch self {
    case .sqlite(let row): try row.optionalText(column)
    case .postgres(let row): try row.optionalText(column)
    }
  }

  func optionalBytes(_ column: Int) throws -> [UInt8]? {
    switch self {
    case .sqlite(let row): try row.optionalBytes(column)
    case .postgres(let row): try row.optionalBytes(column)
    }
  }

  func bool(_ column: Int) throws -> Bool {
    switch self {
    case .sqlite: try int64(column) != 0
    case .postgres(let row): try row.bool(column)
    }
  }

  /// The error for a value that no version of Longbox writes.
  func unexpected(_ column: Int) -> any Error {
    switch self {
    case .sqlite(let row): row.unexpected(column)
    case .postgres(let row): row.unexpected(column)
    }
  }
}

extension SQLRow {
  func int64(_ column: Int) throws -> Int64 {
    guard let value = try optionalInt64(column) else { throw unexpected(column) }
    return value
  }

  func optionalInt(_ column: Int) throws -> Int? { try optionalInt64(column).map { Int($0) } }

  func int(_ column: Int) throws -> Int { Int(try int64(column)) }

  /// A number of 64 bits without a sign, see ``SQLValue/init(bits:)``.
  func bits(_ column: Int) throws -> UInt64 { UInt64(bitPattern: try int64(column)) }

  func text(_ column: Int) throws -> String {
    guard let value = try optionalText(column) else { throw unexpected(column) }
    return value
  }

  func bytes(_ column: Int) throws -> [UInt8] {
    guard let value = try optionalBytes(column) else { throw unexpected(column) }
    return value
  }

  func date(_ column: Int) throws -> Date { Date(seconds: try int64(column)) }

  func optionalDate(_ column: Int) throws -> Date? {
    try optionalInt64(column).map { Date(seconds: $0) }
  }

  /// A comic's number; the tables check numbers, so an invalid one means damage.
  func number(_ column: Int) throws -> Comic.Number {
    guard let number = Comic.Number(try int(column)) else { throw unexpected(column) }
    return number
  }

  func optionalNumber(_ column: Int) throws -> Comic.Number? {
    try optionalInt(column).flatMap { Comic.Number($0) }
  }

  /// The case of an enumeration that is stored by its raw value.
  func value<Value: RawRepresentable<String>>(_ column: Int) throws -> Value {
    guard let value = Value(rawValue: try text(column)) else { throw unexpected(column) }
    return value
  }

  /// The validator in a column and the one after it.
  func validator(_ column: Int) throws -> StoredValidator {
    StoredValidator(etag: try optionalText(column), lastModified: try optionalText(column + 1))
  }

  /// A file in two columns, its name and its size in bytes.
  func pictureFile(_ column: Int = 0) throws -> PictureFile {
    guard let name = ContentName(try text(column)) else { throw unexpected(column) }
    return PictureFile(name: name, byteCount: try int(column + 1))
  }
}

/// The seconds, milliseconds and microseconds since 1970 UTC as which times are stored.
extension Date {
  var seconds: Int64 {
    let seconds = timeIntervalSince1970.rounded(.down)
    return Int64(exactly: seconds) ?? (seconds < 0 ? 0 : Int64(Int32.max) * 1_000)
  }

  /// For times that are compared exactly.
  var unixMilliseconds: Int64 { Int64(within: (timeIntervalSince1970 * 1_000).rounded()) }

  /// For times to which many short intervals are added.
  var unixMicroseconds: Int64 { Int64(within: (timeIntervalSince1970 * 1_000_000).rounded()) }

  init(seconds: Int64) {
    self.init(timeIntervalSince1970: TimeInterval(seconds))
  }
}
