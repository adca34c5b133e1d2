// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// The purpose of a code.
public enum SharedCodeKind: String, Sendable {
  /// Pairs a device with a library.
  case pairing
  /// Signs a device in.
  case signIn
}

/// The library and the client that a code was made for, as hashes.
public struct SharedCodeOwner: Equatable, Sendable {
  /// The length of the client's part, in bytes.
  static let clientLength = 8
  /// The parts, the client's first.
  let bytes: [UInt8]

  /// Creates an owner; the first 8 and 24 bytes of the hashes are stored.
  public init(client: [UInt8], library: [UInt8]) {
    bytes = Array(client.prefix(Self.clientLength)) + library.prefix(24)
  }
}

/// A stored code.
///
/// The database has only the hash of the code itself.
public struct SharedCode: Equatable, Sendable {
  /// The content, encrypted with the code.
  public let content: [UInt8]
  /// When it stops working.
  public let expires: Date
  /// Whether it was used.
  public let isUsed: Bool

  /// Whether it works at a time; one that ends too far in the future was made before the clock was set back.
  public func isValid(at now: Date) -> Bool {
    now < expires && expires <= now + SharedStore.longestValidity
  }
}

extension SharedStore {
  /// More than any code is valid, in seconds.
  ///
  /// For so long expired codes are kept, too, so that the message for them can differ from that for wrong ones.
  static let longestValidity: TimeInterval = 3_600

  /// Stores a code, and removes the library's earlier unused codes.
  /// - Parameters:
  ///   - kind: the purpose.
  ///   - hash: the code's hash.
  ///   - owner: the library and the client; nil to keep earlier codes.
  ///   - content: the encrypted content.
  ///   - expires: when the code stops working.
  ///   - most: maximum number of codes of this kind; beyond it, clients with many codes lose their oldest.
  ///   - now: the time.
  public func offerCode(
    _ kind: SharedCodeKind,
    _ hash: [UInt8],
    of owner: SharedCodeOwner?,
    content: [UInt8],
    until expires: Date,
    keeping most: Int,
    at now: Date
  ) async throws(StoreError) {
    // Where the library's part of the owner begins; SQL counts from 1.
    let owned = SharedCodeOwner.clientLength + 1
    try await write { session in
      try session.execute(
        """
        DELETE FROM code WHERE kind = $1 AND (expires_at < $2 OR expires_at > $5
          OR (substring(owner FROM \(owned)) = substring($3::bytea FROM \(owned)) AND NOT is_used)
          OR hash IN (
            SELECT hash FROM (
              SELECT hash, expires_at, row_number() OVER (
                PARTITION BY substring(owner FROM 1 FOR \(SharedCodeOwner.clientLength)) ORDER BY expires_at DESC, hash
              ) AS place FROM code WHERE kind = $1
            ) AS ranked ORDER BY place, expires_at DESC, hash OFFSET $4))
        """,
        .text(kind.rawValue),
        .integer((now - Self.longestValidity).unixMilliseconds),
        .init(owner?.bytes),
        .integer(Int64(most - 1)),
        .integer((now + Self.longestValidity).unixMilliseconds)
      )
      try session.execute(
        "INSERT INTO code (kind, hash, owner, content, expires_at) VALUES ($1, $2, $3, $4, $5)",
        .text(kind.rawValue),
        .bytes(hash),
        .init(owner?.bytes),
        .bytes(content),
        .integer(expires.unixMilliseconds)
      )
    }
  }

  /// The code with a hash; nil if there is none.
  public func code(_ kind: SharedCodeKind, _ hash: [UInt8]) async throws(StoreError) -> SharedCode? {
    try await read { session in
      try session.execute(
        "SELECT content, expires_at, is_used FROM code WHERE kind = $1 AND hash = $2",
        .text(kind.rawValue),
        .bytes(hash)
      ).first.map(Self.sharedCode)
    }
  }

  /// Marks a code as used.
  /// - Returns: true for one caller only, if the code was valid.
  public func useCode(
    _ kind: SharedCodeKind,
    _ hash: [UInt8],
    at now: Date
  ) async throws(StoreError) -> Bool {
    try await write { session in
      try session.execute(
        """
        UPDATE code SET is_used = true
          WHERE kind = $1 AND hash = $2 AND NOT is_used AND expires_at > $3 AND expires_at <= $4
        """,
        .text(kind.rawValue),
        .bytes(hash),
        .integer(now.unixMilliseconds),
        .integer((now + Self.longestValidity).unixMilliseconds)
      ).changed > 0
    }
  }

  /// Marks a code as unused again.
  public func restoreCode(_ kind: SharedCodeKind, _ hash: [UInt8]) async throws(StoreError) {
    try await write { session in
      _ = try session.execute(
        "UPDATE code SET is_used = false WHERE kind = $1 AND hash = $2",
        .text(kind.rawValue),
        .bytes(hash)
      )
    }
  }

  private static func sharedCode(_ row: PostgresRow) throws -> SharedCode {
    SharedCode(
      content: try row.bytes(0),
      expires: Date(timeIntervalSince1970: Double(try row.int64(1)) / 1_000),
      isUsed: try row.bool(2)
    )
  }
}
