// Longbox
// SPDX-License-Identifier: MIT

extension PostgresEngine {
  /// Runs a transaction.
  ///
  /// If ``LeaderTerm/current`` is set, it fails when that term is over.
  func changeTables<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresSession) throws -> Value
  ) async throws -> Value {
    guard let term = LeaderTerm.current else { return try await pool.transaction { try body($0) } }
    return try await pool.transaction { session in
      try term.require(in: session)
      return try body(session)
    }
  }
}
