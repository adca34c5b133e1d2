// Longbox
// SPDX-License-Identifier: MIT

/// The connection that holds the leader's lock.
///
/// The server releases the lock when the connection ends, so only ``elect(_:within:)`` connects again.
actor LeaderConnection {
  /// The key of the advisory lock: one more than the key for migrations, which is "longbox" on a phone's keypad.
  private static let lock: Int64 = 5_664_270

  /// Makes the server release the lock if this process sends no statement for a time, or if keepalives show that this
  /// machine is gone.
  private let setUp: String

  private let thread = ConnectionThread(name: "leader")
  private let settings: PostgresSettings
  private var session: PostgresSession?
  private var hasLock = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ settings: PostgresSettings, _ times: LeaderElection.Times) {
    self.settings = settings
    func text(_ time: Duration) -> String { "'\(Int(time / .milliseconds(1)))ms'" }
    setUp = """
      SET idle_session_timeout = \(text(times.release)); SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1;
      SET tcp_keepalives_count = 3; SET tcp_user_timeout = 5000;
      SET statement_timeout = \(text(times.limit)); SET lock_timeout = \(text(times.limit * 3 / 4))
      """
  }

  deinit { thread.end() }

  /// Tries to become the leader.
  /// - Returns: the number of the new term; nil if another node leads.
  func elect(_ node: String, within limit: Duration) throws -> Int? {
    do {
      let session = try opened()
      session.deadline = .now + limit
      if !hasLock {
        let rows = try session.execute("SELECT pg_try_advisory_lock($1)", .integer(Self.lock))
        hasLock = try rows.first?.bool(0) == true
      }
      guard hasLock else { return nil }
      return try session.execute(
        "UPDATE leader SET term = term + 1, node = $1, since = extract(epoch FROM now())::bigint RETURNING term",
        .text(node)
      )
      .first?.int(0)
    } catch let error as PostgresError where error.kind == .stopped {
      // A transaction of the previous leader still locks the row. Keep the advisory lock, and try again.
      return nil
    } catch {
      close()
      throw error
    }
  }

  /// Asks the database whether the term is still the current one.
  func confirms(_ term: Int, within limit: Duration) throws -> Bool {
    guard let session else { return false }
    do {
      session.deadline = .now + limit
      return try session.execute("SELECT FROM leader WHERE term = $1", .init(term)).count > 0
    } catch {
      close()
      throw error
    }
  }

  /// Gives up the lock.
  func close() {
    session = nil
    hasLock = false
  }

  private func opened() throws -> PostgresSession {
    if let session, !session.isStale { return session }
    close()
    let fresh = try PostgresSession(settings, running: setUp)
    session = fresh
    return fresh
  }
}
