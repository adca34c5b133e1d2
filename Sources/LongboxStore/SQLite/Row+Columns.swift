// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

extension Row {
  /// The value of a column; a subscript would end the process if the file is damaged.
  /// - Throws: the error for a value that no version of Longbox writes.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) throws -> Value {
    do { return try decode(Value.self, forColumn: column) } catch { throw unexpected(column) }
  }

  /// The value of a column by its place.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ place: Int) throws -> Value {
    do { return try decode(Value.self, atIndex: place) } catch { throw unexpected("\(place)") }
  }

  func date(_ column: String) throws -> Date? {
    (try value(column) as Int64?).map { Date(seconds: $0) }
  }

  /// A comic's number; the tables check numbers, so an invalid one means damage.
  func number(_ column: String = "number") throws -> Comic.Number {
    guard let number = Comic.Number(try value(column)) else { throw unexpected(column) }
    return number
  }

  /// The bytes of a BLOB, copied once.
  func bytes(_ column: String) throws -> [UInt8] {
    try withUnsafeData(named: column) { data in data.map { [UInt8]($0) } ?? [] }
  }

  /// The validator in a row with the two columns for it.
  func validator() throws -> StoredValidator {
    StoredValidator(etag: try value("etag"), lastModified: try value("lastModified"))
  }

  /// The error for a value that no version of Longbox writes.
  func unexpected(_ column: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "unexpected value in the column \(column)")
  }
}
