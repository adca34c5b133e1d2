// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream
import TestSupport
import Testing

@testable import LongboxCatalog

/// Two nodes in one process; readers use the follower.
@Suite(
  "A reader of a node that doesn't lead",
  .enabled(if: PostgresServer.problem == nil, "\(PostgresServer.problem ?? "")"),
  .timeLimit(.minutes(5))
)
struct LeaderRequestTests {
  private let source = FakeXkcd(latest: 10)
  private let unasked = FakeXkcd(latest: 10)
  private let wiki = FakeWiki(about: 1...6)
  private let otherWiki = FakeWiki(about: 1...6)

  /// Runs a test with two nodes; the first is the leader.
  private func withNodes(_ body: (_ leader: CatalogBench, _ node: CatalogBench) async throws -> Void)
    async throws
  {
    let text = try await PostgresServer.emptyDatabase()
    let database: PostgresAddress = try #require(PostgresAddress(text))
    let leader = try await CatalogBench(source, wiki: wiki, database: database)
    await leader.catalog.prepare()
    _ = source.takePaths()
    let node = try await CatalogBench(unasked, wiki: otherWiki, database: database)
    let (first, second) = (try #require(leader.store.cluster), try #require(node.store.cluster))
    let service = try #require(leader.catalog.leaderRequestService)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await first.run(electing: .long) }
      await eventually { first.election.term != nil }
      group.addTask { try await service.run() }
      group.addTask { await second.run(electing: .long) }
      await eventually { second.isFollower }
      do {
        try await body(leader, node)
      } catch {
        group.cancelAll()
        throw error
      }
      group.cancelAll()
      try await group.waitForAll()
    }
    try await leader.store.closeOnNewThread()
    try await node.store.closeOnNewThread()
    #expect(unasked.takePaths() == [])
    #expect(otherWiki.takeQuestions() == [])
  }

  @Test func `gets a comic that the leader fetches, once for all who wait`() async throws {
    try await withNodes { _, node in
      let number = Comic.Number(of: 3)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 1...3 { group.addTask { try await node.catalog.ensure(number, within: .seconds(60)) } }
        try await group.waitForAll()
      }
      #expect(node.catalog.snapshot.archive.comic(number) != nil)
      #expect(source.takePaths() == ["/3/info.0.json"])
    }
  }

  @Test func `gets its picture and its explanation`() async throws {
    try await withNodes { leader, node in
      let number = Comic.Number(of: 3)
      let picture = try await node.catalog.picture(.standard, of: number, within: .seconds(60))
      #expect(try await picture.bytes == leader.catalog.picture(.standard, of: number).bytes)
      #expect(node.catalog.snapshot.archive.comic(number)?.picture != nil)
      let explanation = try await node.catalog.explanation(of: number, within: .seconds(60))
      guard case .stored = explanation else {
        Issue.record("\(explanation)")
        return
      }
      #expect(wiki.takeQuestions() == [[3]])
    }
  }

  @Test func `reports that a comic doesn't exist, or why the fetch failed`() async throws {
    try await withNodes { _, node in
      await #expect(throws: CatalogError.absent) {
        try await node.catalog.ensure(Comic.Number(of: 11), within: .seconds(60))
      }
      source.setEverywhere(.failure(.unreachable(.xkcd, reason: "there is no network")))
      let error = await #expect(throws: CatalogError.self) {
        try await node.catalog.ensure(Comic.Number(of: 2), within: .seconds(60))
      }
      #expect(error?.description == "xkcd can't be reached: there is no network.")
    }
  }

  @Test func `stops waiting after the timeout when the leader does nothing`() async throws {
    let text = try await PostgresServer.emptyDatabase()
    let database: PostgresAddress = try #require(PostgresAddress(text))
    let node = try await CatalogBench(unasked, database: database)
    let cluster = try #require(node.store.cluster)
    // Another session holds the leader's lock, and does nothing.
    let holder = try await CatalogBench(source, database: database)
    let other = try #require(holder.store.cluster)
    let holding = Task { await other.run(electing: .long) }
    await eventually { other.election.term != nil }
    let running = Task { await cluster.run(electing: .long) }
    await eventually { cluster.isFollower }
    try await node.catalog.ensure(Comic.Number(of: 2), within: .milliseconds(300))
    #expect(node.catalog.snapshot.archive.comic(Comic.Number(of: 2)) == nil)
    #expect(unasked.takePaths() == [] && source.takePaths() == [])
    for task in [running, holding] {
      task.cancel()
      await task.value
    }
  }

  @Test func `doesn't wait for the slow request of another reader`() async throws {
    try await withNodes { _, node in
      let slow = "/1/info.0.json"
      source.hold(slow)
      defer { source.release(slow) }
      let waiting = Task { try await node.catalog.ensure(Comic.Number(of: 1), within: .seconds(60)) }
      await source.arrival(at: slow)
      try await node.catalog.ensure(Comic.Number(of: 2), within: .seconds(60))
      #expect(node.comic(2) != nil)
      #expect(node.comic(1) == nil)
      source.release(slow)
      try await waiting.value
      #expect(node.comic(1) != nil)
    }
  }

  @Test func `is served when one of eight earlier requests has ended`() async throws {
    let paths = (1...9).map { "/\($0)/info.0.json" }
    try await withNodes { _, node in
      for path in paths { source.hold(path) }
      defer { for path in paths { source.release(path) } }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...9 {
          group.addTask { try await node.catalog.ensure(Comic.Number(of: number), within: .seconds(60)) }
        }
        var started: [String] = []
        await eventually {
          started += source.takePaths()
          return started.count >= 8
        }
        #expect(started.count == 8)
        source.release(try #require(started.first))
        await eventually {
          started += source.takePaths()
          return started.count >= 9
        }
        for path in paths { source.release(path) }
        try await group.waitForAll()
      }
      #expect(node.catalog.snapshot.archive.count == 10)
    }
  }
}
