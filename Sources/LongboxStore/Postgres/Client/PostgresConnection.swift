// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// A connection with a thread of its own, on which it runs; it connects when it is needed.
///
/// A step is a synchronous closure on that thread, so a task can't keep a connection while it waits for something else.
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
  ///   - limit: how long the step may wait for the server; nil for the usual time.
  ///   - body: the step.
  func perform<Outcome: Sendable>(
    within limit: Duration? = nil,
    _ body: @Sendable (PostgresSession) throws -> Outcome
  ) throws -> Outcome {
    try Task.checkCancellation()
    let session = try opened()
    session.deadline = .now + (limit ?? settings.statementLimit)
    defer {
      session.deadline = nil
      if session.isBroken || session.isInTransaction { self.session = nil }
    }
    return try body(session)
  }

  private func opened() throws -> PostgresSession {
    if let session, !session.isStale { return session }
    session = nil
    let fresh = try PostgresSession(settings.address, within: settings.connectLimit)
    fresh.deadline = .now + settings.connectLimit
    try fresh.run(settings.setUp)
    session = fresh
    return fresh
  }
}

/// How to reach the server, and how long to wait.
struct PostgresSettings: Sendable {
  let address: PostgresAddress
  /// The name of this node among those on the same database.
  let node = UUID().uuidString.lowercased()
  var connectLimit = Duration.seconds(5)
  /// The client's limit; the server's own is a little shorter, so that it speaks first.
  var statementLimit = Duration.seconds(30)
  /// How many connections there are at most.
  var connections = 8
  /// How long a caller waits for a free connection.
  var lineLimit = Duration.seconds(5)
  /// How long a transaction that failed may be tried again.
  var retryTimeout = Duration.seconds(5)
  /// After this time without an answer, nobody waits for the database any more.
  var longestSilence = Duration.seconds(5)

  /// Makes the settings of a session, among them the name by which this node claims messages.
  ///
  /// The server ends the session of a machine that is gone after half a minute, or it would run out of connections.
  var setUp: String {
    """
    SET longbox.node = '\(node)';
    SET statement_timeout = '25s'; SET lock_timeout = '8s'; SET idle_in_transaction_session_timeout = '20s';
    SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 30000;
    SET client_connection_check_interval = '2s'; SET client_encoding = 'UTF8'; SET timezone = 'UTC'
    """
  }
}
