// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import TestSupport
import Testing

@testable import LongboxStore

/// Two nodes that announce comics at the same time, which happens when one of them was paused.
@Suite(
  "Messages that a node has claimed",
  .enabled(if: PostgresServer.problem == nil, "\(PostgresServer.problem ?? "")"),
  .timeLimit(.minutes(5))
)
struct SharedClaimsTests {
  private let folder = TemporaryFolder()
  private let noon = Date(timeIntervalSince1970: 1_800_000_000)
  private let service = "https://push.example.net"

  private struct Nodes {
    let one: Store
    let two: Store
    let database: String
    let ids: [StoredSubscription.ID]
  }

  /// Two nodes, and subscribers who were notified of comic 10.
  private func nodes(subscribers: Int) async throws -> Nodes {
    let database = try await PostgresServer.emptyDatabase()
    let address: PostgresAddress = try #require(PostgresAddress(database))
    let one = try await Store.open(StoreLocation(folder.path("one"), database: address))
    let two = try await Store.open(StoreLocation(folder.path("two"), database: address))
    var ids: [StoredSubscription.ID] = []
    for index in 0..<subscribers {
      let new = NewSubscription(
        endpoint: "\(service)/\(index)",
        service: service,
        publicKey: [UInt8](repeating: 4, count: 65),
        secret: [UInt8](repeating: 5, count: 16),
        preferences: nil,
        replaces: nil
      )
      let stored = try #require(try await one.subscriptions.save(new, newest: number(10), at: noon))
      try await one.subscriptions.confirm(stored)
      ids.append(stored.id)
    }
    return Nodes(one: one, two: two, database: database, ids: ids)
  }

  private func claim(_ ids: [StoredSubscription.ID], by node: Store) async throws -> Set<
    StoredSubscription.ID
  > {
    let comic = try number(11)
    return try await node.announcements.claim(ids.map { ($0, comic) })
  }

  private func due(_ node: Store) async throws -> Int {
    try await node.announcements.subscriptionsToNotify(at: service, upTo: number(11), at: noon, limit: 1_000)
      .count
  }

  @Test func `are no other node's until the lease is over`() async throws {
    let nodes = try await nodes(subscribers: 2)
    #expect(try await claim(nodes.ids, by: nodes.one) == Set(nodes.ids))
    try await nodes.two.announcements.resume()
    #expect(try await due(nodes.two) == 0)
    #expect(try await claim(nodes.ids, by: nodes.two).isEmpty)
    let next = try #require(try await nodes.two.announcements.nextNotification(upTo: number(11), at: noon))
    #expect(abs(next.timeIntervalSinceNow - 120) < 30, "It looks again when the lease is over.")
    try await PostgresServer.run("UPDATE subscription SET claimed_until = 0", in: nodes.database)
    try await nodes.two.announcements.resume()
    #expect(try await due(nodes.two) == 2)
    #expect(try await claim(nodes.ids, by: nodes.two) == Set(nodes.ids))
  }

  @Test func `end when the database's clock was ahead`() async throws {
    let nodes = try await nodes(subscribers: 1)
    _ = try await claim(nodes.ids, by: nodes.one)
    try await PostgresServer.run(
      "UPDATE subscription SET claimed_until = claimed_until + 86400",
      in: nodes.database
    )
    let next = try await nodes.two.announcements.nextNotification(upTo: number(11), at: noon)
    #expect(next == Date(timeIntervalSince1970: 0))
    try await nodes.two.announcements.resume()
    #expect(try await due(nodes.two) == 1)
  }

  @Test func `can be claimed again by the same node after a failed update`() async throws {
    let nodes = try await nodes(subscribers: 1)
    _ = try await claim(nodes.ids, by: nodes.one)
    #expect(try await due(nodes.one) == 0)
    try await nodes.one.announcements.resume()
    #expect(try await due(nodes.one) == 1)
  }

  @Test func `get no result from a node whose lease is over`() async throws {
    let nodes = try await nodes(subscribers: 1)
    let id = try #require(nodes.ids.first)
    _ = try await claim(nodes.ids, by: nodes.one)
    try await PostgresServer.run("UPDATE subscription SET claimed_until = 0", in: nodes.database)
    #expect(try await claim(nodes.ids, by: nodes.two) == [id])
    let (late, comic) = (noon.addingTimeInterval(3600), try number(11))
    for change in [
      SubscriptionUpdate.Change.later(late, reason: "late"), .unsent, .announced(comic),
      .givenUp(comic, reason: "late"),
    ] {
      try await nodes.one.announcements.update([SubscriptionUpdate(id, change)], at: noon)
    }
    var stored = try #require(try await nodes.two.subscriptions.all().first)
    #expect(stored.announced?.value == 10 && stored.failure == nil && stored.nextTry == nil)
    #expect(stored.attempts == 2)
    try await nodes.two.announcements.update([SubscriptionUpdate(id, .announced(comic))], at: noon)
    stored = try #require(try await nodes.one.subscriptions.all().first)
    #expect(stored.announced == comic)
  }

  @Test func `are claimed once, however many nodes claim at the same time`() async throws {
    let nodes = try await nodes(subscribers: 60)
    let claimed = try await withThrowingTaskGroup(of: Set<StoredSubscription.ID>.self) { group in
      for node in [nodes.one, nodes.two] {
        group.addTask { try await claim(nodes.ids, by: node) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(claimed.reduce(into: Set<StoredSubscription.ID>()) { $0.formUnion($1) } == Set(nodes.ids))
    #expect(claimed.map(\.count).reduce(0, +) == nodes.ids.count, "None is claimed twice.")
  }
}
