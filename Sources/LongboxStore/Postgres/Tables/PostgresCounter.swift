// Longbox
// SPDX-License-Identifier: MIT

/// A counter whose row stays locked until the commit, so that changes become visible in the order of their numbers.
///
/// Lock `explanations` before `comics`.
enum PostgresCounter: String {
  case comics, explanations

  /// Locks the counter.
  /// - Returns: its value.
  func lock(in session: PostgresSession) throws -> Int {
    try session.execute("SELECT value FROM counter WHERE name = $1 FOR UPDATE", .text(rawValue)).first?.int(0)
      ?? 0
  }

  /// Sets the counter, and notifies all nodes at the commit.
  ///
  /// A notification delays commits of the whole database server. Changes of comics and explanations are rare enough to
  /// send one; what readers save doesn't send any.
  func set(_ value: Int, in session: PostgresSession) throws {
    try session.execute(
      "UPDATE counter SET value = $2 WHERE name = $1 RETURNING pg_notify('\(ChangeListener.channel)', $1 || ' ' || $2)",
      .text(rawValue),
      .init(value)
    )
  }
}
