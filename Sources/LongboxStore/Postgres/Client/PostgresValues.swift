// Longbox
// SPDX-License-Identifier: MIT

import CPostgres

extension SQLDialect {
  static let postgres = SQLDialect(
    list: ("= ANY(", ")"),
    numbers: "SELECT generate_series(1, $1) AS number",
    lockingRows: "FOR UPDATE",
    lockingFreeRows: "FOR UPDATE SKIP LOCKED",
    now: "extract(epoch FROM now())::bigint",
    node: "current_setting('longbox.node')",
    notifying: "RETURNING pg_notify('\(ChangeListener.channel)', $1 || ' ' || $2)",
    hasChangingQueries: true
  )
}

/// How values are sent: in PostgreSQL's binary form.
extension SQLValue {
  /// The type's OID in `pg_type`; 0 lets the server infer the type.
  var type: UInt32 {
    switch self {
    case .null: 0
    case .boolean: PostgresType.boolean
    case .bytes: PostgresType.bytes
    case .integer: PostgresType.integer
    case .text: PostgresType.text
    case .integers: PostgresType.integerArray
    case .byteArrays: PostgresType.bytesArray
    case .texts: PostgresType.textArray
    }
  }

  /// The binary form; nil for NULL.
  var encoded: [UInt8]? {
    switch self {
    case .null: nil
    case .integer(let value): Self.bigEndian(value)
    case .boolean(let value): [value ? 1 : 0]
    case .text(let value): Self.text(value)
    case .bytes(let value): value
    case .integers(let values): Self.array(of: PostgresType.integer, values.map { Self.bigEndian($0) })
    case .byteArrays(let values): Self.array(of: PostgresType.bytes, values)
    case .texts(let values): Self.array(of: PostgresType.text, values.map { Self.text($0) })
    }
  }

  /// Encodes text as UTF-8.
  ///
  /// PostgreSQL can't store U+0000, so the replacement character takes its place.
  private static func text(_ value: String) -> [UInt8] {
    value.utf8.contains(0) ? Array(value.replacing("\0", with: "\u{FFFD}").utf8) : Array(value.utf8)
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  private static func array(of type: UInt32, _ elements: [[UInt8]?]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20 + elements.reduce(0) { $0 + ($1?.count ?? 0) + 4 })
    // Dimensions, whether there may be NULLs, the type, the length, the first index.
    for word in [1, 1, Int32(bitPattern: type), Int32(elements.count), 1] { bytes += bigEndian(word) }
    for element in elements {
      bytes += bigEndian(element.map { Int32($0.count) } ?? -1)
      if let element { bytes += element }
    }
    return bytes
  }
}

/// OIDs of types in `pg_type`, which are the same in all versions.
enum PostgresType {
  static let boolean: UInt32 = 16
  static let bytes: UInt32 = 17
  static let integer: UInt32 = 20
  static let integer4: UInt32 = 23
  static let text: UInt32 = 25
  static let bytesArray: UInt32 = 1001
  static let textArray: UInt32 = 1009
  static let integerArray: UInt32 = 1016
}

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

  var first: SQLRow? { count > 0 ? .postgres(PostgresRow(rows: self, index: 0)) : nil }

  func map<Value>(_ body: (SQLRow) throws -> Value) rethrows -> [Value] {
    try (0..<count).map { try body(.postgres(PostgresRow(rows: self, index: $0))) }
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

/// A row of a result; used on its connection's thread only.
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

  func unexpected(_ column: Int) -> PostgresError {
    PostgresError(.unexpectedValue, "unexpected value in the column \(column + 1) of a result")
  }
}
