// Longbox
// SPDX-License-Identifier: MIT

import CPostgres
import Foundation
import LongboxCore

/// The result of a statement; used on its connection's thread only.
final class PostgresRows {
  private let result: OpaquePointer

  init(_ result: OpaquePointer) { self.result = result }

  deinit { lbx_pg_clear(result) }

  var count: Int { Int(lbx_pg_row_count(result)) }

  /// The number of rows that the statement changed.
  var changed: Int { Int(String(cString: lbx_pg_changed_rows(result))) ?? 0 }

  /// The command tag, such as `COMMIT`.
  var command: String { String(cString: lbx_pg_command_status(result)) }

  var first: PostgresRow? { count > 0 ? PostgresRow(rows: self, index: 0) : nil }

  func map<Value>(_ body: (PostgresRow) throws -> Value) rethrows -> [Value] {
    try (0..<count).map { try body(PostgresRow(rows: self, index: $0)) }
  }

  fileprivate func type(_ column: Int) -> UInt32 { lbx_pg_column_type(result, Int32(column)) }

  /// The bytes of a value, valid as long as this object; nil for NULL.
  fileprivate func value(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
    let (row, column) = (Int32(row), Int32(column))
    guard lbx_pg_is_null(result, row, column) == 0 else { return nil }
    return UnsafeRawBufferPointer(
      start: lbx_pg_value(result, row, column),
      count: Int(lbx_pg_length(result, row, column))
    )
  }
}

/// A row of a result.
///
/// Each accessor throws if the column has another type.
struct PostgresRow {
  fileprivate let rows: PostgresRows
  fileprivate let index: Int

  func isNull(_ column: Int) -> Bool { rows.value(index, column) == nil }

  func optionalInt64(_ column: Int) throws(PostgresError) -> Int64? {
    guard let bytes = rows.value(index, column) else { return nil }
    switch rows.type(column) {
    case PostgresType.integer: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case PostgresType.integer4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    default: throw unexpected(column)
    }
  }

  func optionalText(_ column: Int) throws(PostgresError) -> String? {
    guard let bytes = rows.value(index, column) else { return nil }
    guard rows.type(column) == PostgresType.text else { throw unexpected(column) }
    return String(decoding: bytes, as: UTF8.self)
  }

  func optionalBytes(_ column: Int) throws(PostgresError) -> [UInt8]? {
    guard let bytes = rows.value(index, column) else { return nil }
    guard rows.type(column) == PostgresType.bytes else { throw unexpected(column) }
    return Array(bytes)
  }

  func bool(_ column: Int) throws(PostgresError) -> Bool {
    guard rows.type(column) == PostgresType.boolean, let bytes = rows.value(index, column) else {
      throw unexpected(column)
    }
    return bytes.first == 1
  }

  func optionalInt(_ column: Int) throws(PostgresError) -> Int? {
    try optionalInt64(column).map { Int($0) }
  }

  func int64(_ column: Int) throws(PostgresError) -> Int64 {
    guard let value = try optionalInt64(column) else { throw unexpected(column) }
    return value
  }

  func int(_ column: Int) throws(PostgresError) -> Int { Int(try int64(column)) }

  func text(_ column: Int) throws(PostgresError) -> String {
    guard let value = try optionalText(column) else { throw unexpected(column) }
    return value
  }

  func bytes(_ column: Int) throws(PostgresError) -> [UInt8] {
    guard let value = try optionalBytes(column) else { throw unexpected(column) }
    return value
  }

  func date(_ column: Int) throws(PostgresError) -> Date { Date(seconds: try int64(column)) }

  func optionalDate(_ column: Int) throws(PostgresError) -> Date? {
    try optionalInt64(column).map { Date(seconds: $0) }
  }

  /// A comic's number; the tables check numbers.
  func number(_ column: Int) throws(PostgresError) -> Comic.Number {
    guard let number = Comic.Number(try int(column)) else { throw unexpected(column) }
    return number
  }

  /// The validator in a column and the one after it.
  func validator(_ column: Int) throws(PostgresError) -> StoredValidator {
    StoredValidator(etag: try optionalText(column), lastModified: try optionalText(column + 1))
  }

  /// The error for a value that no version of Longbox writes.
  func unexpected(_ column: Int) -> PostgresError {
    PostgresError(.unexpectedValue, "unexpected value in the column \(column + 1) of a result")
  }
}
