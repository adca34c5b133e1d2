// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

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
