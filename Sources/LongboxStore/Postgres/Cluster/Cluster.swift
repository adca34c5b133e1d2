// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// Connects a node with the others on the same PostgreSQL database.
///
/// A store in SQLite has no cluster, because one process alone uses it.
public final class Cluster: Sendable {
  /// Elects the leader.
  public let election: LeaderElection
  /// Receives notifications of what other nodes have changed.
  public let listener: ChangeListener
  /// The nodes' requests to the leader.
  public let requests: LeaderRequestQueue
  private let pool: PostgresPool
  private let isRunning = Atomic(false)

  init(_ pool: PostgresPool, _ place: StorePlace) {
    self.pool = pool
    election = LeaderElection(pool.settings)
    listener = ChangeListener(pool)
    requests = LeaderRequestQueue(pool, place, election)
  }

  /// Whether this node takes part in elections and doesn't lead.
  ///
  /// A command beside the server doesn't take part.
  public var isFollower: Bool { isRunning.load(ordering: .relaxed) && election.term == nil }

  /// The time since the database last answered this node.
  public var silence: Duration { pool.silence }

  /// Takes part in elections and listens until the task is cancelled.
  public func run() async { await run(electing: LeaderElection.Times()) }

  /// Takes part with other times of the election than the default ones.
  package func run(electing times: LeaderElection.Times) async {
    isRunning.store(true, ordering: .relaxed)
    pool.watch { [listener] in listener.silence }
    defer { pool.watch(nil) }
    async let listening: Void = listener.run()
    await election.run(times)
    await listening
  }
}

extension Store {
  /// The connection with other nodes; nil if the store is in SQLite.
  public var cluster: Cluster? { engine.cluster }
}

extension StoreEngine {
  var cluster: Cluster? { nil }
  var forLeader: Self { self }
}
