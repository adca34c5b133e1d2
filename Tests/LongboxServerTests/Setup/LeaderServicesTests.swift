// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxStore
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import LongboxServer

@Suite(
  "Services of the leader",
  .enabled(if: PostgresServer.problem == nil, "\(PostgresServer.problem ?? "")"),
  .timeLimit(.minutes(5))
)
struct LeaderServicesTests {
  private let folder = TemporaryFolder()

  /// The nodes that run services now, and all terms so far.
  private final class Log: Sendable {
    struct State {
      var running: [String] = []
      var terms: [Int] = []
    }

    let state = Mutex(State())

    var running: [String] { state.withLock { $0.running } }
  }

  private struct Noting: Service {
    let name: String
    let log: Log
    let election: LeaderElection

    func run() async throws {
      try Task.checkCancellation()
      let term = try #require(election.term)
      log.state.withLock {
        $0.running.append(name)
        $0.terms.append(term.number)
      }
      try? await gracefulShutdown()
      log.state.withLock { state in state.running.removeAll { $0 == name } }
    }
  }

  private struct Failing: Service {
    struct Failure: Error {}

    func run() async throws { throw Failure() }
  }

  private func node(
    _ name: String,
    in database: String,
    running service: (LeaderElection) -> any Service
  ) async throws -> ServiceGroup {
    let address: PostgresAddress = try #require(PostgresAddress(database))
    let store = try await Store.open(StoreLocation(folder.path(name), database: address))
    let cluster = try #require(store.cluster)
    return ServiceGroup(
      configuration: .init(
        services: [
          ClusterService(cluster: cluster),
          LeaderServices(cluster.election, [service(cluster.election)], logger: .silent),
        ],
        logger: .silent
      )
    )
  }

  @Test func `run on one node, move to another, and end with the last`() async throws {
    let database = try await PostgresServer.emptyDatabase()
    let log = Log()
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      var groups: [String: ServiceGroup] = [:]
      for name in ["one", "two"] {
        let group = try await node(name, in: database) { Noting(name: name, log: log, election: $0) }
        groups[name] = group
        tasks.addTask { try await group.run() }
      }
      await eventually { !log.running.isEmpty }
      try await PostgresServer.run(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)
        """,
        in: database
      )
      // On a busy machine there may be further terms, and the same node may lead again.
      await eventually { log.state.withLock { $0.terms.count >= 2 && $0.running.count == 1 } }
      let leader = try #require(log.running.first)
      await groups[leader]?.triggerGracefulShutdown()
      await eventually { log.running.first.map { $0 != leader } ?? false }
      for group in groups.values { await group.triggerGracefulShutdown() }
      try await tasks.waitForAll()
    }
    let end = log.state.withLock { $0 }
    #expect(end.running.isEmpty)
    #expect(Set(end.terms).count == end.terms.count, "No term has two leaders.")
  }

  @Test func `end the server when they fail`() async throws {
    let group = try await node("one", in: PostgresServer.emptyDatabase()) { _ in Failing() }
    await #expect(throws: Failing.Failure.self) { try await group.run() }
  }
}
