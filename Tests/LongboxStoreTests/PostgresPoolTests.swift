// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxStore

@Suite(.timeLimit(.minutes(1))) struct `A pool of connections` {
  /// Each call used to nest the next one deeper, so the time for each grew with the number of calls.
  @Test func `takes as little for the last of many calls as for the first`() async throws {
    let address = try #require(PostgresAddress("postgresql:///nothing"))
    let pool = PostgresPool(PostgresSettings(address: address))
    pool.watch { .zero }
    pool.close()
    var failures = 0
    for _ in 0..<300_000 {
      do {
        try await pool.read { _ in }
      } catch let error as PostgresError where error.kind == .closed {
        failures += 1
      }
    }
    #expect(failures == 300_000)
  }
}
