// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// What connects a node with the others on the same PostgreSQL database.
///
/// A store in SQLite has none: it is always alone.
public final class Cluster: Sendable {
  /// Decides which node leads.
  public let election: LeaderElection
  /// Receives notifications of what other nodes have changed.
  public let listener: ChangeListener
  /// What nodes ask the leader to fetch.
  public let requests: LeaderRequestQueue
  private let pool: PostgresPool
  private let isRunning = Atomic(false)

  init(_ pool: PostgresPool, _ place: StorePlace) {
    self.pool = pool
    election = LeaderElection(pool.settings)
    listener = ChangeListener(pool.settings)
    requests = LeaderRequestQueue(pool, place)
  }

  /// Whether this node takes part and doesn't lead.
  ///
  /// A command beside the server takes no part.
  public var isFollower: Bool { isRunning.load(ordering: .relaxed) && election.term == nil }

  /// Takes part until the task is cancelled.
  public func run() async {
    isRunning.store(true, ordering: .relaxed)
    pool.watch { [listener] in listener.silence }
    defer { pool.watch(nil) }
    async let listening: Void = listener.run()
    await election.run()
    await listening
  }
}

extension Store {
  /// What connects this node with others; nil if the store is in SQLite.
  public var cluster: Cluster? { engine.cluster }
}

extension StoreEngine {
  var cluster: Cluster? { nil }
}
