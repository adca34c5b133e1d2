// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

/// Which comics were announced to which of the operator's hooks.
///
/// Hooks are known by the SHA-256 of their addresses.
public struct HookStore: Sendable {
  let store: Store

  /// How long a node may try a delivery that it has claimed, before another node may claim it.
  public static let claimLease = Duration.seconds(120)
  /// The number of deliveries that are kept for each hook.
  static let kept = 100

  /// The last comic that was announced to each hook, is due, or was skipped; hooks that are new are left out.
  public func last(of hooks: [[UInt8]]) async throws(StoreError) -> [[UInt8]: Comic.Number] {
    try await store.read { database in
      try hooks.reduce(into: [:]) { $0[$1] = try database.hooks.latest($1)?.comic }
    }
  }

  /// Makes comics due for hooks, each after the last one that it has; a new hook starts after the newest comic.
  /// - Parameters:
  ///   - hooks: the hooks.
  ///   - newest: the newest comic to announce.
  ///   - count: at most so many for a hook, the newest ones.
  ///   - date: now.
  public func schedule(for hooks: [[UInt8]], upTo newest: Comic.Number, atMost count: Int, at date: Date)
    async throws(StoreError)
  {
    try await store.write { database in
      for hook in hooks {
        guard let last = try database.hooks.latest(hook)?.comic else {
          try database.hooks.insert(HookDelivery(hook, newest, .skipped, at: date))
          continue
        }
        guard last < newest else { continue }
        for number in max(last.value + 1, newest.value - count + 1)...newest.value {
          guard let comic = Comic.Number(number) else { continue }
          try database.hooks.insert(HookDelivery(hook, comic, .due, at: date))
        }
        try database.change(
          "DELETE FROM hook_delivery WHERE hook = $1 AND comic < $2 AND state <> 'due'",
          .bytes(hook),
          .init(newest.value - Self.kept)
        )
      }
    }
  }

  /// What may be sent to a hook now, oldest comic first.
  public func due(_ hook: [UInt8], at date: Date) async throws(StoreError) -> [HookDelivery] {
    let isDue = StoredPause.hook.isOver("next_try", at: "$2")
    return try await store.read { database in
      try database.rows(
        "SELECT \(Hooks.columns) FROM hook_delivery WHERE hook = $1 AND \(isDue) ORDER BY comic",
        .bytes(hook),
        .init(date),
        read: Hooks.delivery
      )
    }
  }

  /// When the next delivery to any of these hooks becomes due; nil if none waits.
  public func nextTry(of hooks: [[UInt8]], at date: Date) async throws(StoreError) -> Date? {
    let isTooFar = StoredPause.hook.isTooFar("next_try", at: "$2")
    return try await store.read { database in
      try hooks.compactMap { hook in
        try database.first(
          "SELECT min(CASE WHEN \(isTooFar) THEN $2 ELSE next_try END) FROM hook_delivery WHERE hook = $1",
          .bytes(hook),
          .init(date)
        ) { row in try row.optionalDate(0) } ?? nil
      }.min()
    }
  }

  /// Each hook's delivery of its latest comic; nil for a hook that has none.
  public func latest(of hooks: [[UInt8]]) async throws(StoreError) -> [HookDelivery?] {
    try await store.read { database in try hooks.map { try database.hooks.latest($0) } }
  }

  /// Stores a delivery's new state, unless it has ended already.
  ///
  /// To claim a delivery before it is sent, store it with a further attempt and a `nextTry` after the lease.
  /// - Returns: whether it was stored; false for a claim if another node was faster.
  @discardableResult
  public func update(_ old: HookDelivery, to new: HookDelivery) async throws(StoreError) -> Bool {
    try await store.write { database in
      // One that stays due must have as many attempts as before.
      try database.change(
        """
        UPDATE hook_delivery SET state = $1, attempts = $2, next_try = $3, failure = $4, changed_at = $5, since = $6
        WHERE hook = $7 AND comic = $8 AND state = 'due' AND (attempts = $9 OR $1 <> 'due')
        """,
        .text(new.state.rawValue),
        .init(new.attempts),
        .init(new.nextTry),
        .init(Hooks.stored(new.failure)),
        .init(new.changedAt),
        .init(new.since),
        .bytes(old.hook),
        .init(old.comic),
        .init(old.attempts)
      ) > 0
    }
  }
}

/// A message about a comic for one of the operator's hooks.
public struct HookDelivery: Equatable, Sendable {
  /// How far it is.
  public enum State: String, Sendable {
    /// It waits for its next try.
    case due
    /// The service has acknowledged it; it is never sent again.
    case delivered
    /// The service refused it, or a day of tries has passed.
    case failed
    /// The hook was added after this comic, which is not announced to it.
    case skipped
  }

  /// The SHA-256 of the hook's address, which is a secret and not stored.
  public let hook: [UInt8]
  /// The comic.
  public let comic: Comic.Number
  /// How far it is.
  public var state: State
  /// How many times it was tried.
  public var attempts: Int
  /// When it became due.
  public var since: Date
  /// Nothing is sent before this; nil if nothing is sent any more.
  public var nextTry: Date?
  /// Why the last try failed, if it did.
  public var failure: String?
  /// When it last changed.
  public var changedAt: Date

  init(_ hook: [UInt8], _ comic: Comic.Number, _ state: State, at date: Date) {
    self.hook = hook
    self.comic = comic
    self.state = state
    attempts = 0
    since = date
    nextTry = state == .due ? date : nil
    changedAt = date
  }
}

/// The rows of the deliveries, within one read or one transaction.
struct Hooks {
  let database: any SQLConnection

  /// The delivery of the latest comic.
  func latest(_ hook: [UInt8]) throws -> HookDelivery? {
    try database.first(
      "SELECT \(Self.columns) FROM hook_delivery WHERE hook = $1 ORDER BY comic DESC LIMIT 1",
      .bytes(hook),
      read: Self.delivery
    )
  }

  /// Adds a delivery, unless there is one of the same comic.
  func insert(_ delivery: HookDelivery) throws {
    try database.change(
      """
      INSERT INTO hook_delivery (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (hook, comic) DO NOTHING
      """,
      .bytes(delivery.hook),
      .init(delivery.comic),
      .text(delivery.state.rawValue),
      .init(delivery.attempts),
      .init(delivery.since),
      .init(delivery.nextTry),
      .init(Self.stored(delivery.failure)),
      .init(delivery.changedAt)
    )
  }

  /// A failure's reason as it is stored: a service can make it long.
  fileprivate static func stored(_ reason: String?) -> String? { reason.map { String($0.prefix(300)) } }

  fileprivate static let columns = "hook, comic, state, attempts, since, next_try, failure, changed_at"

  fileprivate static func delivery(_ row: SQLRow) throws -> HookDelivery {
    var delivery = HookDelivery(try row.bytes(0), try row.number(1), try row.value(2), at: try row.date(4))
    delivery.attempts = try row.int(3)
    delivery.nextTry = try row.optionalDate(5)
    delivery.failure = try row.optionalText(6)
    delivery.changedAt = try row.date(7)
    return delivery
  }
}

extension SQLConnection {
  var hooks: Hooks { Hooks(database: self) }
}
