// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Brings the tables up to date.
///
/// If several nodes start at once, one runs the migrations, and the others wait.
struct PostgresMigrator: Sendable {
  /// The key of the advisory lock: "longbox" on a phone's keypad.
  private static let lock: Int64 = 5_664_269

  /// Maximum wait for another node's migration.
  var timeout = Duration.seconds(120)

  /// The state of the tables.
  enum State: Equatable {
    /// There are none.
    case empty
    /// Some migrations haven't run.
    case older
    case current
    /// There is a migration that this version doesn't know.
    case newer
  }

  static func state(in session: PostgresSession) throws -> State {
    guard try session.execute("SELECT to_regclass('migration') IS NOT NULL").first?.bool(0) == true else {
      return .empty
    }
    let applied = Set(try names(in: session))
    let known = Set(Migration.all.filter { $0.postgres != nil }.map(\.name))
    if !applied.isSubset(of: known) { return .newer }
    if applied.isEmpty { return .empty }
    return applied == known ? .current : .older
  }

  private static func names(in session: PostgresSession) throws -> [String] {
    try session.rows("SELECT name FROM migration") { row in try row.text(0) }
  }

  /// Runs the migrations that haven't run.
  ///
  /// It polls the lock: a statement that waits for it would hold a snapshot, and a concurrent index build would wait for
  /// that snapshot.
  func migrate(_ pool: PostgresPool) async throws {
    let end = ContinuousClock.now + timeout
    while true {
      let isDone = try await pool.transaction(within: .seconds(120)) { session in
        switch try Self.state(in: session) {
        case .newer: throw StoreError.newerVersion(file: "\(pool.settings.address)")
        case .current: return true
        case .empty, .older: break
        }
        let taken = try session.execute("SELECT pg_try_advisory_xact_lock($1)", .integer(Self.lock))
        guard try taken.first?.bool(0) == true else { return false }
        try session.run("SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '100s'")
        try Self.apply(in: session)
        return true
      }
      if isDone { return }
      guard ContinuousClock.now < end else {
        throw PostgresError(.timedOut, "another node has been migrating the tables for \(timeout)")
      }
      try await Task.sleep(for: .milliseconds(200))
    }
  }

  private static func apply(in session: PostgresSession) throws {
    try session.run(
      """
      CREATE TABLE IF NOT EXISTS migration (
        name text PRIMARY KEY,
        applied_at bigint NOT NULL DEFAULT extract(epoch FROM now())::bigint
      )
      """
    )
    let applied = Set(try names(in: session))
    for migration in Migration.all where !applied.contains(migration.name) {
      guard let texts = migration.postgres else { continue }
      for sql in texts { try session.run(sql) }
      try session.execute("INSERT INTO migration (name) VALUES ($1)", .text(migration.name))
    }
  }
}
