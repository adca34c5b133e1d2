// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import LongboxStore

@Suite("A pool of connections", .timeLimit(.minutes(10))) struct PostgresPoolTests {
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

@Suite(
  "A session of PostgreSQL",
  .enabled(if: PostgresServer.problem == nil, "\(PostgresServer.problem ?? "")"),
  .timeLimit(.minutes(10))
)
struct PostgresSessionTests {
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

@Suite("The address of a database") struct PostgresAddressTests {
  @Test(arguments: [
    (
      "postgresql://reader:secret@db.example.org:5433/longbox?sslmode=require",
      "postgresql://db.example.org:5433/longbox"
    ),
    ("postgres://r:s%40c@ret@host/x", "postgresql://host/x"),
    ("postgresql:///x?host=/run/postgresql&password=secret", "postgresql:///x"),
    ("postgresql://longbox:pa?ss@db/longbox", "postgresql://db/longbox"),
    ("postgresql://longbox:pa/ss@db/longbox", "postgresql://db/longbox"),
    ("postgresql://db/longbox?password=pa@ss", "postgresql://db/longbox"),
    ("postgresql://longbox:pa/s?s@db/longbox", "postgresql://db/longbox"),
    ("postgresql://longbox:pa?s/s@db/longbox?sslmode=require", "postgresql://db/longbox"),
    ("postgresql://longbox:p@/a?s@s@db:5433,[::1]:5434/longbox", "postgresql://db:5433,[::1]:5434/longbox"),
    // What belongs to the password isn't certain.
    ("postgresql://longbox:pa?s=s@db/longbox", "postgresql://…"),
    ("postgresql://db:5433/longbox?password=pa@ss", "postgresql://…"),
    ("postgresql://longbox:pa/ss", "postgresql://…"),
  ])
  func `is shown without user, password and parameters`(text: String, shown: String) throws {
    #expect("\(try #require(PostgresAddress(text)))" == shown)
  }

  @Test(arguments: [
    ("postgresql://longbox:100%safe@db/x", "100%safe", "…"),
    ("postgresql://longbox:p%61/s?s@db/x", "pa", "…"),
    ("postgresql://longbox:pa@ss@db/x", "ss@db", "…"),
    ("postgresql://longbox:secret@db/x]", "postgresql://longbox:secret@db/x]", "…"),
    ("postgresql://longbox:secret@db/x", "longbox", "longbox"),
    ("postgresql://longbox:secret@db/x", "db", "db"),
  ])
  func `hides its password where libpq quotes it`(text: String, quoted: String, shown: String) throws {
    let address = try #require(PostgresAddress(text))
    let message = address.hidingSecrets(in: "libpq can't use \"\(quoted)\" as \"port\"")
    #expect(message == "libpq can't use \"\(shown)\" as \"port\"")
  }

  @Test(arguments: ["", "mysql://host/x", "host=x dbname=y", "/var/lib/longbox", "postgresql://host/\0"])
  func `is a URI of PostgreSQL`(text: String) {
    #expect(PostgresAddress(text) == nil)
  }
}
