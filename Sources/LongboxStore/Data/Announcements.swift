// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

/// Which subscribers to notify of which comics, and the results.
public struct AnnouncementStore: Sendable {
  let store: Store

  /// How long a node may send the messages that it has claimed, before another node may claim them.
  public static let claimLease = Duration.seconds(120)

  /// Due: confirmed, behind the newest comic ($1), no message being sent, and not postponed beyond now ($2).
  private static let isDue = """
    has_received AND announced < $1 AND claimed IS NULL
      AND (next_try IS NULL OR \(StoredPause.notification.isOver("next_try", at: "$2")))
    """

  /// True if no other node is sending a message: there is no claim, it is this node's, or its lease is over.
  ///
  /// All leases use the database's clock.
  private static func isMine(_ dialect: SQLDialect) -> String {
    """
    (claimed IS NULL OR claimed_by = \(dialect.node) OR claimed_until IS NULL
      OR \(StoredPause.claim.isOver("claimed_until", at: dialect.now)))
    """
  }

  /// Makes this node's interrupted messages due again; call it while this node sends no message.
  ///
  /// Another node's messages are left alone while its lease lasts.
  public func resume() async throws(StoreError) {
    try await store.write { database in
      try database.change(
        "UPDATE subscription SET claimed = NULL WHERE claimed IS NOT NULL AND \(Self.isMine(database.dialect))"
      )
    }
  }

  /// Makes subscriptions that were saved before any comic was known start after a comic.
  public func begin(after newest: Comic.Number) async throws(StoreError) {
    try await store.write { database in
      try database.change("UPDATE subscription SET announced = $1 WHERE announced IS NULL", .init(newest))
    }
  }

  /// The last comic that all subscribers were notified of; nil if there are no subscribers.
  public func leastAnnounced() async throws(StoreError) -> Int? {
    try await store.read { database in
      try database.first("SELECT min(announced) FROM subscription WHERE has_received") { row in
        try row.optionalInt(0)
      } ?? nil
    }
  }

  /// The push services with messages due.
  ///
  /// Those where not all messages have failed come first. Otherwise the oldest subscriptions decide the order, so a
  /// service gets no priority by having many subscriptions.
  public func servicesToNotify(
    upTo newest: Comic.Number,
    at date: Date
  ) async throws(StoreError) -> [String] {
    try await store.read { database in
      try database.rows(
        """
        SELECT service FROM subscription WHERE \(Self.isDue) GROUP BY service
        ORDER BY max(CASE WHEN failure IS NULL THEN 1 ELSE 0 END) DESC, min(id)
        """,
        .init(newest),
        .init(date)
      ) { row in try row.text(0) }
    }
  }

  /// Some of a service's subscriptions that are due a comic up to the newest.
  public func subscriptionsToNotify(
    at service: String,
    upTo newest: Comic.Number,
    at date: Date,
    limit: Int
  ) async throws(StoreError) -> [StoredSubscription] {
    try await store.read { database in
      // In the order of the index, so that nothing is sorted.
      try database.subscriptions.matching(
        "WHERE service = $3 AND \(Self.isDue) ORDER BY announced DESC, id DESC LIMIT $4",
        .init(newest),
        .init(date),
        .text(service),
        .init(limit)
      )
    }
  }

  /// When the next waiting subscription becomes due after a date; nil if none waits.
  public func nextNotification(
    upTo newest: Comic.Number,
    at date: Date
  ) async throws(StoreError) -> Date? {
    let isTooFar = StoredPause.notification.isTooFar("next_try", at: "$2")
    return try await store.read { database in
      let isLeaseTooFar = StoredPause.claim.isTooFar("claimed_until", at: database.dialect.now)
      return try database.first(
        """
        SELECT min(CASE WHEN tried > leased THEN tried ELSE leased END) FROM (
          SELECT CASE WHEN next_try IS NULL OR \(isTooFar) THEN 0 ELSE next_try END AS tried,
            CASE WHEN claimed IS NULL OR claimed_until IS NULL OR \(isLeaseTooFar) THEN 0 ELSE claimed_until END AS leased
          FROM subscription WHERE has_received AND announced < $1) AS waiting
        """,
        .init(newest),
        .init(date)
      ) { row in try row.optionalDate(0) } ?? nil
    }
  }

  /// Marks messages as being sent; call it before you send them.
  /// - Parameter messages: the subscriptions, each with the last comic of its message.
  /// - Returns: the subscriptions that still exist and that no other node has claimed.
  public func claim(
    _ messages: [(subscription: StoredSubscription.ID, comic: Comic.Number)]
  ) async throws(StoreError) -> Set<StoredSubscription.ID> {
    try await store.write { database in
      let dialect = database.dialect
      var claimed: Set<StoredSubscription.ID> = []
      for (comic, messages) in Dictionary(grouping: messages, by: \.comic) {
        // If another node claims some of them at the same time, each subscription goes to one of the nodes.
        claimed.formUnion(
          try database.rows(
            """
            UPDATE subscription SET claimed = $1, attempts = attempts + 1, claimed_by = \(dialect.node),
              claimed_until = \(dialect.now) + $3
            WHERE id IN (
              SELECT id FROM subscription WHERE id \(dialect.isIn("$2")) AND announced < $1
                AND \(Self.isMine(dialect)) ORDER BY id \(dialect.lockingFreeRows))
            RETURNING id
            """,
            .init(comic),
            .integers(messages.map(\.subscription)),
            .integer(Self.claimLease.components.seconds)
          ) { row in try row.int64(0) }
        )
      }
      return claimed
    }
  }

  /// Stores the results for subscriptions in one transaction.
  public func update(_ updates: [SubscriptionUpdate], at date: Date) async throws(StoreError) {
    try await store.write { database in
      // Locks the rows, always in the same order.
      let endpoints = Dictionary(
        try database.rows(
          """
          SELECT id, endpoint FROM subscription WHERE id \(database.dialect.isIn("$1"))
          ORDER BY id \(database.dialect.lockingRows)
          """,
          .integers(updates.map(\.subscription))
        ) { row in (try row.int64(0), try row.text(1)) }
      ) { $1 }
      let changes = Dictionary(grouping: updates) { update -> SubscriptionUpdate.Change in
        guard let endpoint = update.endpoint, endpoints[update.subscription] != endpoint else {
          return update.change
        }
        // The endpoint has changed since: send the message to the new one.
        return .unsent
      }
      for (change, updates) in changes {
        try Self.apply(change, to: updates.map(\.subscription), at: date, in: database)
      }
    }
  }

  /// Stores a result that some subscriptions have in common.
  private static func apply(
    _ change: SubscriptionUpdate.Change,
    to ids: [Int64],
    at date: Date,
    in database: any SQLConnection
  ) throws {
    let condition = "id \(database.dialect.isIn("$1")) AND \(isMine(database.dialect))"
    let announced = "announced = CASE WHEN announced > $2 THEN announced ELSE $2 END"
    switch change {
    case .announced(let comic):
      try database.change(
        """
        UPDATE subscription SET \(announced), claimed = NULL, attempts = 0, next_try = NULL,
          failure = NULL, failed_at = NULL, given_up = 0, has_received = true
        WHERE \(condition)
        """,
        .integers(ids),
        .init(comic)
      )
    case .givenUp(let comic, let reason):
      try database.change(
        """
        UPDATE subscription SET \(announced), claimed = NULL, attempts = 0, next_try = NULL,
          failure = $3, failed_at = $4, given_up = given_up + 1
        WHERE \(condition)
        """,
        .integers(ids),
        .init(comic),
        .text(SubscriptionLimits.stored(reason)),
        .init(date)
      )
      try removeHopeless(in: database)
    case .interrupted(let until, let reason):
      try database.change(
        """
        UPDATE subscription SET has_received = false, claimed = NULL, attempts = 0, next_try = $2, failure = $3,
          failed_at = $4, given_up = given_up + 1
        WHERE \(condition)
        """,
        .integers(ids),
        .init(until),
        .text(SubscriptionLimits.stored(reason)),
        .init(date)
      )
      try removeHopeless(in: database)
    case .later(let until, let reason?):
      try database.change(
        """
        UPDATE subscription SET claimed = NULL, next_try = $2, failure = $3, failed_at = $4
        WHERE \(condition)
        """,
        .integers(ids),
        .init(until),
        .text(SubscriptionLimits.stored(reason)),
        .init(date)
      )
    case .later(let until, nil):
      try database.change(
        "UPDATE subscription SET claimed = NULL, next_try = $2 WHERE \(condition)",
        .integers(ids),
        .init(until)
      )
    case .unsent:
      try database.change(
        """
        UPDATE subscription SET claimed = NULL, attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END
        WHERE \(condition)
        """,
        .integers(ids)
      )
    case .gone:
      try database.change(
        "DELETE FROM subscription WHERE id \(database.dialect.isIn("$1"))",
        .integers(ids)
      )
    }
  }

  /// Counts a failed try for each message due at a rejected service; after the last try, the message is given up.
  public func reject(
    _ service: String,
    atMost attempts: Int,
    reason: String,
    upTo newest: Comic.Number,
    at date: Date
  ) async throws(StoreError) {
    try await store.write { database in
      try database.change(
        """
        UPDATE subscription SET announced = CASE WHEN attempts + 1 < $4 THEN announced ELSE $1 END,
          given_up = given_up + CASE WHEN attempts + 1 < $4 THEN 0 ELSE 1 END,
          attempts = CASE WHEN attempts + 1 < $4 THEN attempts + 1 ELSE 0 END,
          failure = $5, failed_at = $2 WHERE service = $3 AND \(Self.isDue)
        """,
        .init(newest),
        .init(date),
        .text(service),
        .init(attempts),
        .text(SubscriptionLimits.stored(reason))
      )
      try Self.removeHopeless(in: database)
    }
  }

  private static func removeHopeless(in database: any SQLConnection) throws {
    try database.change("DELETE FROM subscription WHERE given_up >= $1", .init(SubscriptionLimits.givenUp))
  }

  /// Postpones everything due at a service to a date.
  public func postpone(
    _ service: String,
    until: Date,
    reason: String,
    upTo newest: Comic.Number,
    at date: Date
  ) async throws(StoreError) {
    let isTooFar = StoredPause.notification.isTooFar("next_try", at: "$2")
    try await store.write { database in
      try database.change(
        """
        UPDATE subscription SET next_try = $4, failure = $5, failed_at = $2
        WHERE service = $3 AND has_received AND announced < $1 AND claimed IS NULL
          AND (coalesce(next_try, 0) < $4 OR \(isTooFar))
        """,
        .init(newest),
        .init(date),
        .text(service),
        .init(until),
        .text(SubscriptionLimits.stored(reason))
      )
    }
  }
}

/// The result of a message to a subscription, or of a decision not to send one.
public struct SubscriptionUpdate: Sendable {
  /// The possible results.
  public enum Change: Hashable, Sendable {
    /// It was notified of all comics up to this one.
    case announced(Comic.Number)
    /// Comics up to this one are not tried again.
    case givenUp(Comic.Number, reason: String)
    /// Its push service rejects this server's key: it is unconfirmed from now on, keeps its place, and is tried at a date.
    ///
    /// As with comics that are given up, it is removed when that has happened too often.
    case interrupted(until: Date, reason: String)
    /// Its next message is due at this date, with the reason if something failed.
    case later(Date, reason: String?)
    /// Its message was not sent and is still due.
    case unsent
    /// The browser is no longer subscribed.
    case gone
  }

  /// The subscription.
  public let subscription: StoredSubscription.ID
  /// The result.
  public let change: Change
  /// The endpoint that a message was sent to, or nil if none was; if the subscription has another endpoint
  /// now, the message is due again.
  public let endpoint: String?

  /// Makes an update.
  public init(_ subscription: StoredSubscription.ID, _ change: Change, at endpoint: String? = nil) {
    self.subscription = subscription
    self.change = change
    self.endpoint = endpoint
  }
}
