// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

extension Row {
  func date(_ column: String) -> Date? {
    (self[column] as Int64?).map { Date(seconds: $0) }
  }

  /// A comic's number; the tables check numbers, so an invalid one means damage.
  func number(_ column: String = "number") throws -> Comic.Number {
    guard let number = Comic.Number(self[column]) else { throw unexpected(column) }
    return number
  }

  /// The bytes of a BLOB, copied once.
  func bytes(_ column: String) throws -> [UInt8] {
    try withUnsafeData(named: column) { data in data.map { [UInt8]($0) } ?? [] }
  }

  /// The validator in a row with the two columns for it.
  var validator: StoredValidator {
    StoredValidator(etag: self["etag"], lastModified: self["lastModified"])
  }

  /// The error for a value that no version of Longbox writes.
  func unexpected(_ column: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "unexpected value in the column \(column)")
  }
}
