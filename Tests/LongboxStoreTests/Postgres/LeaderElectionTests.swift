// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import TestSupport
import Testing

@testable import LongboxStore

/// Several nodes in one process, each with its own data folder, on one database.
@Suite(
  "The election of a leader",
  .enabled(if: PostgresServer.problem == nil, "\(PostgresServer.problem ?? "")"),
  .timeLimit(.minutes(5))
)
struct LeaderElectionTests {
  private let folder = TemporaryFolder()

  /// Lets the first leader keep leading, even on a busy machine, unless it shuts down or loses its connection.
  private static var long: LeaderElection.Times {
    var times = LeaderElection.Times()
    times.limit = .seconds(300)
    times.release = .seconds(600)
    return times
  }

  private func node(_ name: String, in database: String) async throws -> Store {
    let address: PostgresAddress = try #require(PostgresAddress(database))
    return try await Store.open(StoreLocation(folder.path(name), database: address))
  }

  /// Runs the elections of three nodes during a test.
  private func withNodes(
    _ times: LeaderElection.Times = LeaderElection.Times(),
    _ body: ([LeaderElection], String) async throws -> Void
  ) async throws {
    let database = try await PostgresServer.emptyDatabase()
    var elections: [LeaderElection] = []
    for name in ["one", "two", "three"] {
      elections.append(try #require(try await node(name, in: database).cluster).election)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for election in elections { group.addTask { await election.run(times) } }
      try await body(elections, database)
      group.cancelAll()
    }
  }

  /// Waits for a leader, and checks that it is the only one.
  ///
  /// How long an election takes is measured in Tests/Cluster: here other tests keep the processor busy.
  /// - Throws: `CancellationError` when the suite's time is over.
  private func leader(
    _ elections: [LeaderElection],
    after term: Int = 0
  ) async throws -> (election: LeaderElection, term: LeaderTerm) {
    while true {
      try Task.checkCancellation()
      await eventually { elections.contains { ($0.term?.number ?? 0) > term } }
      for election in elections {
        guard let own = election.term, own.number > term else { continue }
        #expect(elections.filter { $0.term?.number == own.number }.count <= 1)
        return (election, own)
      }
    }
  }

  @Test func `has one winner, and the database names it`() async throws {
    try await withNodes(Self.long) { elections, database in
      let (election, term) = try await leader(elections)
      let named = try await PostgresServer.run("SELECT node, term FROM leader", in: database)
      #expect(named == "\(election.node)|\(term.number)")
      // Two more heartbeats pass.
      let deadline = term.deadline
      await eventually { term.isOver || term.deadline > deadline + .seconds(1) }
      #expect(elections.compactMap(\.term).map(\.number) == [term.number])
    }
  }

  @Test func `makes another node the leader when the connection of the first breaks`() async throws {
    try await withNodes { elections, database in
      let (_, old) = try await leader(elections)
      try await PostgresServer.run(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)
        """,
        in: database
      )
      let (_, new) = try await leader(elections, after: old.number)
      await eventually { old.isOver }
      #expect(new.number > old.number)
    }
  }

  @Test func `takes the term from a leader that hangs, before another begins`() async throws {
    try await withNodes { elections, _ in
      let (hung, old) = try await leader(elections)
      let connection = try #require(hung.connection)
      let wake = DispatchSemaphore(value: 0)
      defer { wake.signal() }
      let hanging = Task { await connection.block(until: wake) }
      await eventually { old.isOver }
      let leading = elections.compactMap(\.term)
      // The server frees the lock five seconds after the last heartbeat: two seconds after the term's end.
      if ContinuousClock.now < old.deadline + .seconds(2) { #expect(leading.isEmpty) }
      let (election, new) = try await leader(elections, after: old.number)
      #expect(election !== hung)
      wake.signal()
      #expect(await old.deadline - hanging.value < .seconds(4))
      #expect(new.number > old.number)
    }
  }

  /// Otherwise the server would keep the lock for longer than the test may run.
  @Test func `elects another leader when the leader shuts down`() async throws {
    let database = try await PostgresServer.emptyDatabase()
    let one = try #require(try await node("one", in: database).cluster).election
    let two = try #require(try await node("two", in: database).cluster).election
    let running = Task { await one.run(Self.long) }
    let (_, old) = try await leader([one])
    let other = Task { await two.run(Self.long) }
    running.cancel()
    await running.value
    #expect(old.isOver && one.term == nil)
    let (_, new) = try await leader([one, two], after: old.number)
    #expect(two.term === new)
    other.cancel()
    await other.value
  }

  @Test func `lets no leader of an earlier term write`() async throws {
    let database = try await PostgresServer.emptyDatabase()
    let store = try await node("one", in: database)
    try await PostgresServer.run("UPDATE leader SET term = 7", in: database)
    let (election, leading) = (try #require(store.cluster).election, store.forLeader)
    let late = LeaderTerm(6, until: .now + .seconds(600))
    election.begin(late)
    await #expect(throws: StoreError.notLeader) { try await leading.comics.save([record(1)]) }
    await #expect(throws: StoreError.notLeader) { try await leading.pictures.save([picture(1)]) }
    await #expect(throws: StoreError.notLeader) { _ = try await leading.pictures.sweep() }
    #expect(late.isOver, "It steps down.")
    #expect(try await store.comics.count() == 0)
    let term = LeaderTerm(7, until: .now + .seconds(600))
    election.begin(term)
    try await leading.comics.save([record(1)])
    #expect(try await store.comics.count() == 1)
    term.extend(until: .now)
    await #expect(throws: StoreError.notLeader) { try await leading.comics.save([record(2)]) }
    try await store.comics.save([record(3)])
    #expect(try await store.comics.count() == 2, "Every node may write readers' changes.")
  }

  @Test func `is not needed by a store in SQLite`() throws {
    #expect(try Store.open(folder.path("alone")).cluster == nil)
  }
}

extension LeaderConnection {
  /// Blocks the connection's thread, as a system call that hangs does; returns since when.
  fileprivate func block(until wake: DispatchSemaphore) -> ContinuousClock.Instant {
    let start = ContinuousClock.now
    wake.wait()
    return start
  }
}
