// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// What a code of some kind gives access to.
public enum SharedCodeKind: String, Sendable {
  /// Pairs a device with a library.
  case pairing
  /// Signs a device in.
  case signIn
}

/// A code as all nodes see it; the code itself is not stored, only its hash.
public struct SharedCode: Equatable, Sendable {
  /// What the code is for, readable only with the code.
  public let content: [UInt8]
  /// When it stops working.
  public let expires: Date
  /// Whether it was used.
  public let isUsed: Bool
}

extension SharedStore {
  /// How long a code is kept after it has expired, in milliseconds, to say so: an hour.
  private static let kept: Int64 = 3_600_000

  /// Stores a code; the owner's earlier codes that were not used stop working.
  /// - Parameters:
  ///   - kind: what it gives access to.
  ///   - hash: the code's hash.
  ///   - owner: who offers it, as a hash; nil if earlier codes stay.
  ///   - content: what it is for.
  ///   - expires: when it stops working.
  ///   - most: how many of the kind are kept; the oldest go first.
  ///   - now: the time.
  public func offerCode(
    _ kind: SharedCodeKind,
    _ hash: [UInt8],
    of owner: [UInt8]?,
    content: [UInt8],
    until expires: Date,
    keeping most: Int,
    at now: Date
  ) async throws(StoreError) {
    try await write { session in
      try session.execute(
        """
        DELETE FROM code WHERE kind = $1 AND (expires_at < $2 OR (owner = $3 AND NOT is_used) OR hash IN (
          SELECT hash FROM code WHERE kind = $1 ORDER BY expires_at DESC, hash OFFSET $4))
        """,
        .text(kind.rawValue),
        .integer(now.sharedMilliseconds - Self.kept),
        .bytes(owner ?? []),
        .integer(Int64(most - 1))
      )
      try session.execute(
        "INSERT INTO code (kind, hash, owner, content, expires_at) VALUES ($1, $2, $3, $4, $5)",
        .text(kind.rawValue),
        .bytes(hash),
        .init(owner),
        .bytes(content),
        .integer(expires.sharedMilliseconds)
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
      ).first.map(Self.shared)
    }
  }

  /// Marks a code as used, for one caller only.
  /// - Returns: whether it worked until now.
  public func useCode(
    _ kind: SharedCodeKind,
    _ hash: [UInt8],
    at now: Date
  ) async throws(StoreError) -> Bool {
    try await write { session in
      try session.execute(
        "UPDATE code SET is_used = true WHERE kind = $1 AND hash = $2 AND NOT is_used AND expires_at > $3",
        .text(kind.rawValue),
        .bytes(hash),
        .integer(now.sharedMilliseconds)
      ).changed > 0
    }
  }

  /// Makes a used code work again.
  public func restoreCode(_ kind: SharedCodeKind, _ hash: [UInt8]) async throws(StoreError) {
    try await write { session in
      _ = try session.execute(
        "UPDATE code SET is_used = false WHERE kind = $1 AND hash = $2",
        .text(kind.rawValue),
        .bytes(hash)
      )
    }
  }

  private static func shared(_ row: PostgresRow) throws -> SharedCode {
    SharedCode(
      content: try row.bytes(0),
      expires: Date(timeIntervalSince1970: Double(try row.int64(1)) / 1_000),
      isUsed: try row.bool(2)
    )
  }
}

extension Date {
  /// Milliseconds since 1970 UTC, as shared tables have times that are compared exactly.
  var sharedMilliseconds: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded()) }
}
