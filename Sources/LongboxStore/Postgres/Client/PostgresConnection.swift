// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// A connection that runs on its own thread; it connects at the first step.
///
/// A step is a synchronous closure, so a task can't hold a connection while it waits for something else.
actor PostgresConnection {
  private let thread: ConnectionThread
  private let settings: PostgresSettings
  private var session: PostgresSession?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ settings: PostgresSettings) {
    self.settings = settings
    thread = ConnectionThread(name: "postgres")
  }

  deinit { thread.end() }

  /// Runs a step on the connection.
  /// - Parameters:
  ///   - limit: maximum wait for the server, to connect and then to answer; nil for the settings' timeouts.
  ///   - body: the step.
  func perform<Outcome: Sendable>(
    within limit: Duration? = nil,
    _ body: @Sendable (PostgresSession) throws -> Outcome
  ) throws -> Outcome {
    try Task.checkCancellation()
    let session = try opened(within: limit)
    session.deadline = .now + (limit ?? settings.statementTimeout)
    defer {
      session.deadline = nil
      if session.isBroken || session.isInTransaction { self.session = nil }
    }
    return try body(session)
  }

  private func opened(within limit: Duration?) throws -> PostgresSession {
    if let session, !session.isStale { return session }
    session = nil
    let fresh = try PostgresSession(settings, within: limit, running: settings.setUp)
    session = fresh
    return fresh
  }
}

/// The server's address, and the timeouts.
struct PostgresSettings: Sendable {
  let address: PostgresAddress
  /// The name of this node, unique among the nodes on the database.
  let node = UUID().uuidString.lowercased()
  var connectTimeout = Duration.seconds(5)
  /// The client's timeout; the server's is shorter, because its error says more.
  var statementTimeout = Duration.seconds(30)
  /// Maximum number of connections.
  var connections = 8
  /// Maximum wait for a free connection.
  var poolTimeout = Duration.seconds(5)
  /// For how long a failed transaction is retried.
  var retryTimeout = Duration.seconds(5)
  /// After this time without an answer, callers no longer wait for the database.
  var longestSilence = Duration.seconds(5)
  /// How often one call still asks the database then.
  var probeInterval = Duration.seconds(1)

  /// The SQL for a new session, among it the name under which this node claims messages.
  ///
  /// Keepalives end the session of a lost machine within half a minute; otherwise the server would run out of
  /// connections.
  var setUp: String {
    """
    SET longbox.node = '\(node)';
    SET statement_timeout = '25s'; SET lock_timeout = '8s'; SET idle_in_transaction_session_timeout = '20s';
    SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 30000;
    SET client_connection_check_interval = '2s'; SET client_encoding = 'UTF8'; SET timezone = 'UTC'
    """
  }
}
