// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LongboxCatalog
import LongboxCore
import LongboxStore
import TestSupport
import Testing

@testable import LongboxServer

/// One node of several, as devices and load balancers see it.
@Suite(
  "A node of several",
  .enabled(if: PostgresServer.problem == nil, "\(PostgresServer.problem ?? "")"),
  .timeLimit(.minutes(5))
)
struct NodeTests {
  private struct Nodes {
    /// It stores new comics.
    let leader: CatalogBench
    /// It answers requests, and gets no notifications of new comics.
    let node: CatalogBench
    let client: any TestClientProtocol
    let database: String

    func get(_ uri: String) async throws -> TestResponse {
      try await client.executeRequest(uri: uri, method: .get, headers: [:], body: nil)
    }

    /// Asks as a device that has a revision of the archive.
    func archive(since revision: Int) async throws -> TestResponse {
      let rules = leader.catalog.snapshot.archive.rules
      return try await get("/archive?since=\(revision)&rules=\(rules)&samples=0")
    }

    func index(since revision: Int) async throws -> TestResponse {
      let rules = leader.catalog.snapshot.explanationIndex.rules
      return try await get("/explanations/index?since=\(revision)&rules=\(rules)&samples=0")
    }
  }

  private func withNodes(_ test: @Sendable (Nodes) async throws -> Void) async throws {
    let text = try await PostgresServer.emptyDatabase()
    let database: PostgresAddress = try #require(PostgresAddress(text))
    let wiki = FakeWiki(about: 1...6)
    let leader = try await CatalogBench(FakeXkcd(latest: 6), wiki: wiki, database: database)
    await leader.catalog.prepare()
    let node = try await CatalogBench(FakeXkcd(latest: 6), database: database)
    let dispatcher = ServerControllers(of: node).endpoints.dispatcher
    try await Application(router: dispatcher, logger: .silent).test(.router) { client in
      try await test(Nodes(leader: leader, node: node, client: client, database: text))
    }
    try await leader.store.closeOnNewThread()
    try await node.store.closeOnNewThread()
  }

  @Test func `reads what a device has seen at another one, and sends it nothing twice`() async throws {
    try await withNodes { nodes in
      let before = nodes.node.catalog.snapshot.archive.revision
      for number in 1...3 { try await nodes.leader.catalog.ensure(Comic.Number(of: number)) }
      let revision = nodes.leader.catalog.snapshot.archive.revision
      #expect(revision > before && nodes.node.catalog.snapshot.archive.revision == before)
      let answer = try await nodes.archive(since: revision)
      #expect(answer.status == .noContent)
      #expect(nodes.node.catalog.snapshot.archive.revision == revision)
      #expect(try await nodes.archive(since: before).status == .ok)
    }
  }

  @Test func `does the same for explanations`() async throws {
    try await withNodes { nodes in
      for number in 1...3 {
        _ = try await nodes.leader.catalog.explanation(of: Comic.Number(of: number), within: .seconds(60))
      }
      let change = try await nodes.leader.catalog.explanationTotals().change
      #expect(nodes.node.catalog.snapshot.explanationIndex.revision < change)
      #expect(try await nodes.index(since: change).status == .noContent)
      #expect(nodes.node.catalog.snapshot.explanationIndex.revision == change)
    }
  }

  @Test func `sends the whole archive to a device that has seen what a restored backup lacks`() async throws {
    try await withNodes { nodes in
      let revision = nodes.leader.catalog.snapshot.archive.revision
      let answer = try await nodes.archive(since: revision + 100)
      #expect(answer.status == .ok)
      #expect(try Segment(answer.bytes).base == 0)
    }
  }

  @Test func `isn't ready while the database is away, and has nothing for a device ahead`() async throws {
    try await withNodes { nodes in
      let cluster = try #require(nodes.node.store.cluster)
      let running = Task { await cluster.run() }
      #expect(try await nodes.get("/ready").status == .ok)
      try await PostgresServer.set(isAway: true, nodes.database)
      let revision = nodes.leader.catalog.snapshot.archive.revision
      #expect(try await nodes.archive(since: revision + 100).status == .noContent)
      try await eventually { try await nodes.get("/ready").status == .serviceUnavailable }
      let answer = try await nodes.get("/ready")
      #expect(answer.text == #"{"ready":false}"# && answer.headers[.retryAfter] == "5")
      #expect(try await nodes.get("/healthz").status == .ok)
      try await PostgresServer.set(isAway: false, nodes.database)
      try await eventually { try await nodes.get("/ready").status == .ok }
      running.cancel()
      await running.value
    }
  }
}
