// Longbox
// SPDX-License-Identifier: MIT

import Foundation

struct PostgresCredentialTable: CredentialTable {
  let session: PostgresSession

  func all() throws -> [StoredCredential] {
    try session.execute("SELECT \(Self.columns) FROM credential ORDER BY id").map(Self.credential)
  }

  func credential(_ hash: CredentialHash) throws -> StoredCredential? {
    try session.execute("SELECT \(Self.columns) FROM credential WHERE hash = $1", .bytes(hash.bytes)).first
      .map(Self.credential)
  }

  func insert(_ kind: StoredCredential.Kind, _ hash: CredentialHash, name: String, at date: Date) throws
    -> StoredCredential
  {
    try session.execute(
      """
      DELETE FROM credential WHERE kind = $1 AND id NOT IN (
        SELECT id FROM credential WHERE kind = $1 ORDER BY coalesce(seen_at, created_at) DESC LIMIT $2
      )
      """,
      .text(kind.rawValue),
      .init(CredentialLimits.ofKind - 1)
    )
    let row = try session.execute(
      """
      INSERT INTO credential (kind, hash, name, created_at, renewed_at, seen_at) VALUES ($1, $2, $3, $4, $4, $5)
      RETURNING \(Self.columns)
      """,
      .text(kind.rawValue),
      .bytes(hash.bytes),
      .text(CredentialLimits.stored(name)),
      .init(date),
      .init(kind == .session ? date : nil)
    ).first
    guard let row else { throw PostgresError(.other, "no row was inserted") }
    return try Self.credential(row)
  }

  func remove(_ id: StoredCredential.ID) throws -> Bool {
    try session.execute("DELETE FROM credential WHERE id = $1", .integer(id)).changed > 0
  }

  func removeSessions(except id: StoredCredential.ID?) throws -> Int {
    try session.execute(
      "DELETE FROM credential WHERE kind = 'session' AND id IS DISTINCT FROM $1::bigint",
      id.map { .integer($0) } ?? .null
    ).changed
  }

  func noteSeen(_ id: StoredCredential.ID, at date: Date) throws {
    try session.execute("UPDATE credential SET seen_at = $2 WHERE id = $1", .integer(id), .init(date))
  }

  func noteRenewed(_ id: StoredCredential.ID, at date: Date) throws {
    try session.execute(
      "UPDATE credential SET renewed_at = $2, seen_at = $2 WHERE id = $1",
      .integer(id),
      .init(date)
    )
  }

  func passphrase() throws -> String? {
    try session.execute("SELECT hash FROM access_passphrase").first?.text(0)
  }

  func setPassphrase(_ hash: String, at date: Date) throws {
    try session.execute(
      """
      INSERT INTO access_passphrase (id, hash, changed_at) VALUES (1, $1, $2)
      ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at
      """,
      .text(hash),
      .init(date)
    )
  }

  private static let columns = "id, kind, hash, name, created_at, renewed_at, seen_at"

  private static func credential(_ row: PostgresRow) throws -> StoredCredential {
    guard let kind = StoredCredential.Kind(rawValue: try row.text(1)) else { throw row.unexpected(1) }
    return StoredCredential(
      id: try row.int64(0),
      kind: kind,
      hash: CredentialHash(stored: try row.bytes(2)),
      name: try row.text(3),
      createdAt: try row.date(4),
      renewedAt: try row.date(5),
      seenAt: try row.optionalDate(6)
    )
  }
}
