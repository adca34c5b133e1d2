// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// Elects one of the nodes on a PostgreSQL database as the leader.
///
/// The node that holds an advisory lock leads. If the database doesn't answer it within two seconds, it steps down. The
/// server releases the lock within five seconds, and another node takes it. Each leader gets a new ``LeaderTerm``.
public final class LeaderElection: Sendable {
  /// The pause between two attempts to take the lock, or between two heartbeats of the leader.
  private static let interval = Duration.seconds(1)
  /// Maximum wait for an answer of the database.
  private static let limit = Duration.seconds(2)

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
  public func run() async {
    let connection = LeaderConnection(settings)
    connectionInUse.withLock { $0 = connection }
    while !Task.isCancelled {
      let start = ContinuousClock.now
      if let number = try? await connection.elect(node, within: Self.limit) {
        let term = LeaderTerm(number, until: start + Self.limit + Self.interval)
        state.withLock { $0 = term }
        won.yield(term)
        await lead(term, over: connection)
        term.finish()
        await connection.close()
      }
      try? await Task.sleep(for: Self.interval)
    }
    await connection.close()
    won.finish()
  }

  /// Leads until the database doesn't confirm the term in time, or the task is cancelled.
  private func lead(_ term: LeaderTerm, over connection: LeaderConnection) async {
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
          try? await Task.sleep(for: Self.interval)
          let start = ContinuousClock.now
          guard !Task.isCancelled, !term.isOver,
            (try? await connection.confirms(term.number, within: Self.limit)) == true
          else { return }
          term.extend(until: start + Self.limit + Self.interval)
        }
      }
      await group.next()
      group.cancelAll()
    }
  }
}
