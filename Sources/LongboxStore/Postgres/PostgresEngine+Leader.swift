// Longbox
// SPDX-License-Identifier: MIT

extension PostgresEngine {
  /// Changes tables; what a leader changes is stored only while its term lasts.
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
