// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxStore

@Suite(.timeLimit(.minutes(10))) struct `A pool of connections` {
  /// If each call wrapped the closure of the pool once more, the last calls would take many times as long.
  ///
  /// It compares the fastest of many short runs: a busy machine slows some of them, and hardly all.
  @Test func `takes as little for the last of many calls as for the first`() async throws {
    let address = try #require(PostgresAddress("postgresql:///nothing"))
    let pool = PostgresPool(PostgresSettings(address: address))
    pool.watch { .zero }
    pool.close()
    var failures = 0
    var fastest: [Duration] = []
    for _ in 0..<2 {
      var times: [Duration] = []
      for _ in 0..<500 {
        let start = ContinuousClock.now
        for _ in 0..<100 {
          do {
            try await pool.read { _ in }
          } catch let error as PostgresError where error.kind == .closed {
            failures += 1
          }
        }
        times.append(ContinuousClock.now - start)
      }
      fastest.append(try #require(times.min()))
    }
    #expect(failures == 100_000)
    #expect(fastest[1] < fastest[0] * 5)
  }
}
