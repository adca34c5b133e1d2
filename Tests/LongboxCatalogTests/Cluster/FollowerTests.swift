// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import TestSupport
import Testing

@testable import LongboxCatalog

/// Two nodes in one process: the leader asks the sources, and the follower shows what the leader has stored.
@Suite(
  "A node that follows another",
  .enabled(if: PostgresServer.problem == nil, "\(PostgresServer.problem ?? "")"),
  .timeLimit(.minutes(5))
)
struct FollowerTests {
  private let source = FakeXkcd(latest: 6)
  private let unasked = FakeXkcd(latest: 6)

  private struct Nodes {
    let leader: CatalogBench
    let follower: CatalogBench
    let database: String
  }

  /// Runs a test with two nodes; the second is the follower.
  private func withNodes(wiki: FakeWiki? = nil, _ body: (Nodes) async throws -> Void) async throws {
    let text = try await PostgresServer.emptyDatabase()
    let database: PostgresAddress = try #require(PostgresAddress(text))
    let leader = try await CatalogBench(source, wiki: wiki, database: database)
    let follower = try await CatalogBench(unasked, database: database)
    let (first, second) = (try #require(leader.store.cluster), try #require(follower.store.cluster))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await first.run(electing: .long) }
      await eventually { first.election.term != nil }
      group.addTask { await second.run(electing: .long) }
      group.addTask { try await follower.catalog.publishingService.run() }
      try await body(Nodes(leader: leader, follower: follower, database: text))
      group.cancelAll()
      try await group.waitForAll()
    }
    try await leader.store.closeOnNewThread()
    try await follower.store.closeOnNewThread()
  }

  @Test func `shows its comics and pictures without asking the source`() async throws {
    try await withNodes { nodes in
      let changes = nodes.follower.catalog.changes
      try await nodes.leader.bringEverything()
      await eventually { nodes.follower.catalog.snapshot.archive.count == 6 }
      let picture = try await nodes.follower.catalog.picture(.standard, of: Comic.Number(of: 3))
      #expect(
        try await picture.bytes
          == nodes.leader.catalog.picture(.standard, of: Comic.Number(of: 3)).bytes
      )
      await eventually { nodes.follower.catalog.snapshot.progress?.pictures == 6 }
      #expect(nodes.follower.catalog.snapshot.hasAnswered)
      var iterator = changes.makeAsyncIterator()
      #expect(await iterator.next()?.newComics.isEmpty == false)
      #expect(unasked.takePaths() == [])
    }
  }

  @Test func `leaves the dates of changes to the leader, also when it starts`() async throws {
    let database = try #require(PostgresAddress(try await PostgresServer.emptyDatabase()))
    let folder = TemporaryFolder()
    let time = SettableTime()
    let before = try await CatalogBench(source, in: folder, database: database, time: time)
    try await before.bringEverything()
    before.catalog.save()
    try await before.store.closeOnNewThread()

    let leader = try await CatalogBench(source, database: database, time: time)
    let number = Comic.Number(of: 3)
    let record = FetchedRecord(
      number: number,
      raw: Array(
        #"{"num": 3, "title": "Other", "img": "", "alt": "", "year": "2006", "month": "1", "day": "1"}"#.utf8
      ),
      fetchedAt: time.now
    )
    try await leader.store.comics.save([record])
    try await leader.catalog.comics.publisher.publish()
    let dates = try await leader.store.feeds.changeDates(of: [number])
    #expect(dates.count == 1)

    time.advance(by: 3_600)
    let follower = try await CatalogBench(unasked, in: folder, database: database, time: time)
    #expect(follower.catalog.snapshot.archive.comic(number)?.title == Text("Other"))
    #expect(try await follower.store.feeds.changeDates(of: [number]) == dates)
    for node in [leader, follower] { try await node.store.closeOnNewThread() }
  }

  @Test func `misses nothing while its connections break`() async throws {
    try await withNodes { nodes in
      try await nodes.leader.catalog.refresher.checkNewest()
      await eventually { nodes.follower.catalog.snapshot.archive.count == 1 }
      try await eventually {
        let broken = try await PostgresServer.run(
          """
          SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
          WHERE datname = current_database() AND (query LIKE 'LISTEN%' OR query = 'SELECT 1')
          """,
          in: nodes.database
        )
        return broken != "0"
      }
      try await nodes.leader.catalog.ensure(Comic.Number(of: 2))
      await eventually { nodes.follower.catalog.snapshot.archive.count == 2 }
    }
  }

  @Test func `shows an explanation that was missing when it looked first`() async throws {
    let wiki = FakeWiki(about: 1...6)
    try await withNodes(wiki: wiki) { nodes in
      try await nodes.leader.catalog.refresher.checkNewest()
      await eventually { nodes.follower.catalog.snapshot.archive.count == 1 }
      let number = Comic.Number(of: 6)
      guard case .unknown = try await nodes.follower.catalog.explanation(of: number) else {
        Issue.record("The follower has an explanation before any node asked the wiki.")
        return
      }
      let before = nodes.follower.catalog.generation
      let known = try await nodes.leader.catalog.explanation(of: number, within: .seconds(60))
      guard case .stored(let explanation) = known else {
        Issue.record("\(known)")
        return
      }
      try await eventually {
        guard case .stored(let other) = try await nodes.follower.catalog.explanation(of: number) else {
          return false
        }
        return other.lead == explanation.lead
      }
      await eventually { nodes.follower.catalog.generation > before }
    }
  }

  @Test func `shows a replaced picture to a device that has seen the change at another node`() async throws {
    let text = try await PostgresServer.emptyDatabase()
    let database: PostgresAddress = try #require(PostgresAddress(text))
    let other = try await CatalogBench(source, database: database)
    try await other.bringEverything()
    // Nothing runs `follow()` at this node, as if no hint had arrived yet.
    let node = try await CatalogBench(unasked, database: database)
    let number = Comic.Number(of: 3)
    #expect(try await node.catalog.picture(.standard, of: number).bytes == HandmadeRecord.picture(3))
    source.set(picture: HandmadeRecord.picture(99), named: "bread_3.png")
    try await other.catalog.reload(number)
    let revision = other.catalog.snapshot.archive.revision
    await eventually { await node.catalog.comics.nodes.catchUp(to: revision) }
    #expect(try await node.catalog.picture(.standard, of: number).bytes == HandmadeRecord.picture(99))
    try await other.store.closeOnNewThread()
    try await node.store.closeOnNewThread()
  }
}
