// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import GRDB

/// Reads the pieces of a file in a backup in order, and checks their hashes.
struct BackupPieces {
  private let entry: BackupArchive.Entry
  private let location: URL
  private let rows: RowCursor
  private var hash = SHA256()
  private var byteCount = 0
  private var place = 0

  init(of entry: BackupArchive.Entry, in database: Database, of location: URL) throws {
    self.entry = entry
    self.location = location
    rows = try Row.fetchCursor(
      database,
      sql: "SELECT place, bytes, hash FROM piece WHERE file = ? ORDER BY place",
      arguments: [entry.name]
    )
  }

  /// The bytes of the next piece; nil after the last one, if the hash of the whole file is right.
  /// - Throws: `StoreError.backupDamaged`.
  mutating func next() throws -> [UInt8]? {
    guard let row = try rows.next() else {
      guard byteCount == entry.byteCount, entry.hash == [UInt8](hash.finalize()) else { throw damage }
      return nil
    }
    let bytes = try row.bytes("bytes")
    guard try row.value("place") == place, try row.bytes("hash") == [UInt8](SHA256.hash(data: bytes)) else {
      throw damage
    }
    hash.update(data: bytes)
    byteCount += bytes.count
    place += 1
    return bytes
  }

  private var damage: StoreError { .backupDamaged(file: location.path, part: entry.name) }
}
