// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB

/// The SQL for the passphrase, sessions and access keys.
struct SQLiteCredentialTable: CredentialTable {
  let database: Database

  func all() throws -> [StoredCredential] {
    try Row.fetchAll(database, sql: "SELECT * FROM credential ORDER BY id").map(Self.credential)
  }

  func credential(_ hash: CredentialHash) throws -> StoredCredential? {
    try Row.fetchOne(database, sql: "SELECT * FROM credential WHERE hash = ?", arguments: [Data(hash.bytes)])
      .map(Self.credential)
  }

  func insert(_ kind: StoredCredential.Kind, _ hash: CredentialHash, name: String, at date: Date) throws
    -> StoredCredential
  {
    try database.execute(
      sql: """
        DELETE FROM credential WHERE kind = ?1 AND id NOT IN (
          SELECT id FROM credential WHERE kind = ?1 ORDER BY coalesce(seenAt, createdAt) DESC LIMIT ?2
        )
        """,
      arguments: [kind.rawValue, CredentialLimits.ofKind - 1]
    )
    let shown = CredentialLimits.stored(name)
    try database.execute(
      sql: """
        INSERT INTO credential (kind, hash, name, createdAt, renewedAt, seenAt) VALUES (?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        kind.rawValue, Data(hash.bytes), shown, date.seconds, date.seconds,
        kind == .session ? date.seconds : nil,
      ]
    )
    return StoredCredential(
      id: database.lastInsertedRowID,
      kind: kind,
      hash: hash,
      name: shown,
      createdAt: Date(seconds: date.seconds),
      renewedAt: Date(seconds: date.seconds),
      seenAt: kind == .session ? Date(seconds: date.seconds) : nil
    )
  }

  func remove(_ id: StoredCredential.ID) throws -> Bool {
    try database.execute(sql: "DELETE FROM credential WHERE id = ?", arguments: [id])
    return database.changesCount > 0
  }

  func removeSessions(except id: StoredCredential.ID?) throws -> Int {
    try database.execute(
      sql: "DELETE FROM credential WHERE kind = 'session' AND id IS NOT ?",
      arguments: [id]
    )
    return database.changesCount
  }

  func noteSeen(_ id: StoredCredential.ID, at date: Date) throws {
    try database.execute(
      sql: "UPDATE credential SET seenAt = ?2 WHERE id = ?1",
      arguments: [id, date.seconds]
    )
  }

  func noteRenewed(_ id: StoredCredential.ID, at date: Date) throws {
    try database.execute(
      sql: "UPDATE credential SET renewedAt = ?2, seenAt = ?2 WHERE id = ?1",
      arguments: [id, date.seconds]
    )
  }

  func passphrase() throws -> String? {
    try String.fetchOne(database, sql: "SELECT hash FROM accessPassphrase")
  }

  func setPassphrase(_ hash: String, at date: Date) throws {
    try database.execute(
      sql: """
        INSERT INTO accessPassphrase (id, hash, changedAt) VALUES (1, ?1, ?2)
        ON CONFLICT (id) DO UPDATE SET hash = ?1, changedAt = ?2
        """,
      arguments: [hash, date.seconds]
    )
  }

  private static func credential(_ row: Row) throws -> StoredCredential {
    guard let kind = StoredCredential.Kind(rawValue: try row.value("kind")) else {
      throw row.unexpected("kind")
    }
    return StoredCredential(
      id: try row.value("id"),
      kind: kind,
      hash: CredentialHash(stored: try row.bytes("hash")),
      name: try row.value("name"),
      createdAt: Date(seconds: try row.value("createdAt")),
      renewedAt: Date(seconds: try row.value("renewedAt")),
      seenAt: try row.date("seenAt")
    )
  }
}
