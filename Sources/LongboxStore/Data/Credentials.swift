// Longbox
// SPDX-License-Identifier: MIT

import Crypto
public import Foundation

/// The passphrase, the signed-in devices and the access keys.
public struct AccessStore: Sendable {
  let store: Store

  /// The passphrase, the signed-in devices and the access keys.
  public func all() async throws(StoreError) -> StoredAccess {
    try await store.readSnapshot { database in
      StoredAccess(
        passphrase: try database.credentials.passphrase(),
        credentials: try database.rows(
          "SELECT \(Credentials.columns) FROM credential ORDER BY id",
          read: Credentials.credential
        )
      )
    }
  }

  /// Whether a passphrase was set.
  public func hasPassphrase() async throws(StoreError) -> Bool {
    try await store.read { database in try database.credentials.passphrase() != nil }
  }

  /// The device or access key with a hash; nil if there is none.
  public func credential(_ hash: CredentialHash) async throws(StoreError) -> StoredCredential? {
    let sql = "SELECT \(Credentials.columns) FROM credential WHERE hash = $1"
    return try await store.read { database in
      try database.first(sql, .bytes(hash.bytes), read: Credentials.credential)
    }
  }

  /// Stores a new device or access key.
  ///
  /// If there are too many of its kind, the one unused for longest is removed.
  public func add(
    _ kind: StoredCredential.Kind,
    _ hash: CredentialHash,
    name: String,
    at date: Date
  ) async throws(StoreError) -> StoredCredential {
    try await store.write { database in
      try database.change(
        """
        DELETE FROM credential WHERE kind = $1 AND id NOT IN (
          SELECT id FROM credential WHERE kind = $1 ORDER BY coalesce(seen_at, created_at) DESC LIMIT $2
        )
        """,
        .text(kind.rawValue),
        .init(CredentialLimits.ofKind - 1)
      )
      let stored = try database.first(
        """
        INSERT INTO credential (kind, hash, name, created_at, renewed_at, seen_at) VALUES ($1, $2, $3, $4, $4, $5)
        RETURNING \(Credentials.columns)
        """,
        .text(kind.rawValue),
        .bytes(hash.bytes),
        .text(CredentialLimits.stored(name)),
        .init(date),
        .init(kind == .session ? date : nil),
        read: Credentials.credential
      )
      guard let stored else { throw StoreError.conflict }
      return stored
    }
  }

  /// Removes a device or an access key.
  /// - Returns: whether there was one.
  @discardableResult
  public func remove(_ id: StoredCredential.ID) async throws(StoreError) -> Bool {
    try await store.write { database in
      try database.change("DELETE FROM credential WHERE id = $1", .integer(id)) > 0
    }
  }

  /// Signs all devices out but one.
  /// - Returns: their number.
  @discardableResult
  public func removeSessions(except id: StoredCredential.ID? = nil) async throws(StoreError) -> Int {
    try await store.write { database in try database.credentials.removeSessions(except: id) }
  }

  /// Notes when devices and keys were last used.
  public func noteSeen(_ dates: [StoredCredential.ID: Date]) async throws(StoreError) {
    try await store.write { database in
      try database.change(
        """
        UPDATE credential SET seen_at = $2, created_at = CASE WHEN created_at > $2 THEN $2 ELSE created_at END
        WHERE id = $1
        """,
        each: dates.sorted { $0.key < $1.key }.map { id, date in [.integer(id), .init(date)] }
      )
    }
  }

  /// Notes that a device got its cookie again.
  public func noteRenewed(_ id: StoredCredential.ID, at date: Date) async throws(StoreError) {
    try await store.write { database in
      try database.change(
        "UPDATE credential SET renewed_at = $2, seen_at = $2 WHERE id = $1",
        .integer(id),
        .init(date)
      )
    }
  }

  /// Sets the household's passphrase, and signs all devices out if there was another one.
  /// - Parameter hash: the passphrase's salted hash with its parameters.
  public func setPassphrase(_ hash: String, at date: Date) async throws(StoreError) {
    try await store.write { database in
      if try database.credentials.passphrase() != nil {
        _ = try database.credentials.removeSessions(except: nil)
      }
      try database.change(
        """
        INSERT INTO access_passphrase (id, hash, changed_at) VALUES (1, $1, $2)
        ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at
        """,
        .text(hash),
        .init(date)
      )
    }
  }
}

/// The rows of the passphrase and of the credentials, within one read or one transaction.
struct Credentials {
  let database: any SQLConnection

  func passphrase() throws -> String? {
    try database.first("SELECT hash FROM access_passphrase") { row in try row.text(0) }
  }

  func removeSessions(except id: StoredCredential.ID?) throws -> Int {
    guard let id else { return try database.change("DELETE FROM credential WHERE kind = 'session'") }
    return try database.change("DELETE FROM credential WHERE kind = 'session' AND id <> $1", .integer(id))
  }

  fileprivate static let columns = "id, kind, hash, name, created_at, renewed_at, seen_at"

  fileprivate static func credential(_ row: SQLRow) throws -> StoredCredential {
    StoredCredential(
      id: try row.int64(0),
      kind: try row.value(1),
      hash: CredentialHash(stored: try row.bytes(2)),
      name: try row.text(3),
      createdAt: try row.date(4),
      renewedAt: try row.date(5),
      seenAt: try row.optionalDate(6)
    )
  }
}

extension SQLConnection {
  var credentials: Credentials { Credentials(database: self) }
}

/// The passphrase, sessions and access keys, read at once.
public struct StoredAccess: Equatable, Sendable {
  /// The passphrase's salted hash with its parameters; nil if none was set.
  public let passphrase: String?
  /// The signed-in devices and access keys, the oldest first.
  public let credentials: [StoredCredential]
}

/// What lets a device or a program in: a device's session, or a program's access key.
public struct StoredCredential: Equatable, Identifiable, Sendable {
  /// What it is for.
  public enum Kind: String, Sendable {
    /// A browser that signed in.
    case session
    /// A program that reads feeds or the API.
    case key
  }

  /// The number in the store.
  public let id: Int64
  /// What it is for.
  public let kind: Kind
  /// The hash of its secret.
  public let hash: CredentialHash
  /// The name that people see, such as "Firefox on Android".
  public let name: String
  /// When it was made.
  public let createdAt: Date
  /// When the browser last got its cookie.
  public let renewedAt: Date
  /// When it was last used; nil if never.
  public let seenAt: Date?

  /// Makes a credential with these values.
  public init(
    id: Int64,
    kind: Kind,
    hash: CredentialHash,
    name: String,
    createdAt: Date,
    renewedAt: Date,
    seenAt: Date?
  ) {
    self.id = id
    self.kind = kind
    self.hash = hash
    self.name = name
    self.createdAt = createdAt
    self.renewedAt = renewedAt
    self.seenAt = seenAt
  }
}

/// The SHA-256 of a secret that lets a device or a program in.
///
/// The secret has 256 random bits, so that its hash needs neither salt nor many rounds.
public struct CredentialHash: Hashable, Sendable {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Hashes a secret.
  public init(of secret: some Sequence<UInt8>) {
    bytes = Array(SHA256.hash(data: Array(secret)))
  }

  /// Takes a stored hash.
  init(stored bytes: [UInt8]) {
    self.bytes = bytes
  }
}

enum CredentialLimits {
  /// The maximum number of each kind; the one unused for longest goes first.
  static let ofKind = 100

  /// A name as it is stored: at most 100 code points, which is what the databases count.
  static func stored(_ name: String) -> String {
    name.isEmpty ? "Unnamed" : String(String.UnicodeScalarView(name.unicodeScalars.prefix(100)))
  }
}
