// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import LongboxStore

@Suite(
  .enabled(if: PostgresServer.problem == nil, "\(PostgresServer.problem ?? "")"),
  .timeLimit(.minutes(10))
)
struct `A session of PostgreSQL` {
  @Test func `doesn't take an answer for a commit if the server crashes after it`() async throws {
    let folder = TemporaryFolder()
    let server = try CrashingDatabase(in: folder.url)
    let address = try #require(
      PostgresAddress("postgresql:///any?host=\(folder.url.path)&port=5432&user=longbox&sslmode=disable")
    )
    let engine = try PostgresEngine.connect(address, StorePlace(folder: folder.url))
    let error = await #expect(throws: PostgresError.self) {
      try await engine.pool.statement { session in
        try session.execute("UPDATE library SET sequence = 2").changed
      }
    }
    #expect(error?.kind == .outcomeUnknown)
    withExtendedLifetime(server) {}
  }
}
