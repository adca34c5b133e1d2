// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// Codes, rate limits and secrets that the nodes of one database share.
///
/// With SQLite they are in the process's memory and in the data folder.
public struct SharedStore: Sendable {
  let engine: PostgresEngine

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresSession) throws -> Value
  ) async throws(StoreError) -> Value {
    do { return try await engine.pool.read(body) } catch { throw engine.storeError(error) }
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresSession) throws -> Value
  ) async throws(StoreError) -> Value {
    do {
      return try await engine.pool.transaction { session in try body(session) }
    } catch {
      throw engine.storeError(error)
    }
  }
}

extension Store {
  /// The data that nodes share; nil with SQLite.
  public var shared: SharedStore? { engine.shared }

  /// Whether other nodes may change the store at any time.
  public var isShared: Bool { shared != nil }
}

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

  private static func sharedCode(_ row: SQLRow) throws -> SharedCode {
    SharedCode(
      content: try row.bytes(0),
      expires: Date(timeIntervalSince1970: Double(try row.int64(1)) / 1_000),
      isUsed: try row.bool(2)
    )
  }
}

/// The state of a rate limit, for one address and for all together.
public struct LimitUse: Equatable, Sendable {
  /// When the address has its full allowance again; nil if nothing is counted.
  public var address: Date?
  /// The same for all addresses together.
  public var all: Date?

  /// Creates a state.
  public init(address: Date? = nil, all: Date? = nil) {
    self.address = address
    self.all = all
  }
}

extension SharedStore {
  /// Changes the state of a limit in one transaction; other nodes wait for its end.
  /// - Parameters:
  ///   - name: the limit's name.
  ///   - address: the client's address, not empty.
  ///   - now: the time; rows with an earlier time are removed.
  ///   - change: the change; may run more than once.
  public func changeLimit<Value: Sendable>(
    _ name: String,
    of address: String,
    at now: Date,
    _ change: @escaping @Sendable (inout LimitUse) -> Value
  ) async throws(StoreError) -> Value {
    try await write { session in
      // This locks the limit: it updates the row for all addresses.
      let all = try session.execute(
        """
        INSERT INTO rate_limit AS old (name, address, full_at) VALUES ($1, '', $2)
        ON CONFLICT (name, address) DO UPDATE SET full_at = old.full_at RETURNING full_at
        """,
        .text(name),
        .integer(now.unixMicroseconds)
      ).first?.int64(0)
      let mine = try session.execute(
        "SELECT full_at FROM rate_limit WHERE name = $1 AND address = $2",
        .text(name),
        .text(address)
      ).first?.int64(0)
      var use = LimitUse(address: mine.map(Self.date), all: all.map(Self.date))
      let before = use
      let value = change(&use)
      guard use != before else { return value }
      try session.execute(
        "DELETE FROM rate_limit WHERE name = $1 AND address <> '' AND (full_at <= $2 OR address = $3)",
        .text(name),
        .integer(now.unixMicroseconds),
        .text(address)
      )
      var (addresses, times): ([String], [Int64]) = ([""], [(use.all ?? now).unixMicroseconds])
      if let mine = use.address {
        addresses.append(address)
        times.append(mine.unixMicroseconds)
      }
      try session.execute(
        """
        INSERT INTO rate_limit (name, address, full_at)
          SELECT $1, new.* FROM unnest($2::text[], $3::bigint[]) AS new
        ON CONFLICT (name, address) DO UPDATE SET full_at = excluded.full_at
        """,
        .text(name),
        .texts(addresses),
        .integers(times)
      )
      return value
    }
  }

  private static func date(_ microseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
  }
}

extension SharedStore {
  /// The secret with a name.
  ///
  /// The first node stores it, and all nodes get the same.
  /// - Parameters:
  ///   - name: the secret's name.
  ///   - candidate: the secret to store if there is none.
  public func secret(_ name: String, orStoring candidate: [UInt8]) async throws(StoreError) -> [UInt8] {
    try await write { session in
      // This waits if another node is inserting the row.
      try session.execute(
        "INSERT INTO secret (name, content) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        .text(name),
        .bytes(candidate)
      )
      let row = try session.execute("SELECT content FROM secret WHERE name = $1", .text(name)).first
      return try row?.bytes(0) ?? candidate
    }
  }
}
