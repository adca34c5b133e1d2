// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// Elects one of the nodes on a PostgreSQL database as the leader.
///
/// The node that holds an advisory lock leads. If the database doesn't answer it within two seconds, it steps down. The
/// server releases the lock within five seconds, and another node takes it. Each leader gets a new ``LeaderTerm``.
public final class LeaderElection: Sendable {
  /// Times of an election; tests that need the same leader all the time set longer ones.
  package struct Times: Sendable {
    /// The pause between two attempts to take the lock, or between two heartbeats of the leader.
    package var interval = Duration.seconds(1)
    /// Maximum wait for an answer of the database.
    package var limit = Duration.seconds(2)
    /// The server releases the lock after this time without a statement; longer than the interval and the limit together.
    package var release = Duration.seconds(5)

    /// Creates the default times.
    package init() {}
  }

  /// The name of this node in the table `leader`.
  let node: String
  /// The terms in which this node leads; each ends before the next begins.
  ///
  /// Only one task may read the stream.
  public let terms: AsyncStream<LeaderTerm>
  private let won: AsyncStream<LeaderTerm>.Continuation
  private let settings: PostgresSettings
  private let state = Mutex<LeaderTerm?>(nil)
  private let connectionInUse = Mutex<LeaderConnection?>(nil)

  init(_ settings: PostgresSettings) {
    self.settings = settings
    node = settings.node
    (terms, won) = AsyncStream.makeStream(of: LeaderTerm.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// The current term; nil if this node doesn't lead.
  public var term: LeaderTerm? {
    state.withLock { $0 }.flatMap { $0.isOver ? nil : $0 }
  }

  /// The connection while this node takes part; a test blocks its thread.
  var connection: LeaderConnection? { connectionInUse.withLock { $0 } }

  /// Takes part until the task is cancelled; then it releases the lock.
  public func run() async { await run(Times()) }

  /// Takes part with other times than the default ones.
  package func run(_ times: Times) async {
    let connection = LeaderConnection(settings, times)
    connectionInUse.withLock { $0 = connection }
    while !Task.isCancelled {
      let start = ContinuousClock.now
      if let number = try? await connection.elect(node, within: times.limit) {
        let term = LeaderTerm(number, until: start + times.limit + times.interval)
        state.withLock { $0 = term }
        won.yield(term)
        await lead(term, over: connection, times)
        term.finish()
        await connection.close()
      }
      try? await Task.sleep(for: times.interval)
    }
    await connection.close()
    won.finish()
  }

  /// Leads until the database doesn't confirm the term in time, or the task is cancelled.
  private func lead(_ term: LeaderTerm, over connection: LeaderConnection, _ times: Times) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        // Ends the term in time even if the connection's thread hangs.
        while !Task.isCancelled, !term.isOver {
          try? await Task.sleep(until: term.deadline, clock: .continuous)
        }
        term.finish()
      }
      group.addTask {
        while !Task.isCancelled, !term.isOver {
          try? await Task.sleep(for: times.interval)
          let start = ContinuousClock.now
          guard !Task.isCancelled, !term.isOver,
            (try? await connection.confirms(term.number, within: times.limit)) == true
          else { return }
          term.extend(until: start + times.limit + times.interval)
        }
      }
      await group.next()
      group.cancelAll()
    }
  }
}
