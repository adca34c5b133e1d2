// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// What to announce, and the results.
extension PostgresSubscriptionTable {
  /// Due: confirmed, behind the newest comic ($1), no message being sent, and not postponed beyond now ($2).
  private static let due = """
    has_received AND announced < $1 AND claimed IS NULL
      AND (next_try IS NULL OR \(StoredPause.notification.isOver("next_try", at: "$2")))
    """

  /// The database's time in seconds; all leases use this clock.
  private static let now = "extract(epoch FROM now())::bigint"
  private static let me = "current_setting('longbox.node')"
  /// True if no other node is sending a message: there is no claim, it is this node's, or its lease is over.
  private static let isMine = """
    (claimed IS NULL OR claimed_by = \(me) OR claimed_until IS NULL
      OR \(StoredPause.claim.isOver("claimed_until", at: now)))
    """

  func begin(at newest: Comic.Number) throws {
    try session.execute("UPDATE subscription SET announced = $1 WHERE announced IS NULL", .init(newest))
  }

  func releaseClaims() throws {
    try session.execute("UPDATE subscription SET claimed = NULL WHERE claimed IS NOT NULL AND \(Self.isMine)")
  }

  func leastAnnounced() throws -> Int? {
    try session.execute("SELECT min(announced) FROM subscription WHERE has_received").first?.optionalInt(0)
  }

  func dueServices(newest: Comic.Number, at date: Date) throws -> [String] {
    try session.execute(
      """
      SELECT service FROM subscription WHERE \(Self.due) GROUP BY service
      ORDER BY bool_or(failure IS NULL) DESC, min(id)
      """,
      .init(newest),
      .init(date)
    )
    .map { try $0.text(0) }
  }

  func due(at service: String, newest: Comic.Number, at date: Date, limit: Int) throws -> [StoredSubscription]
  {
    try subscriptions(
      "WHERE service = $3 AND \(Self.due) ORDER BY announced DESC, id DESC LIMIT $4",
      .init(newest),
      .init(date),
      .text(service),
      .init(limit)
    )
  }

  func nextTry(newest: Comic.Number, at date: Date) throws -> Date? {
    try session.execute(
      """
      SELECT min(greatest(
        CASE WHEN \(StoredPause.notification.isTooFar("next_try", at: "$2")) THEN 0 ELSE next_try END,
        CASE WHEN claimed IS NULL OR \(StoredPause.claim.isTooFar("claimed_until", at: Self.now)) THEN 0
          ELSE claimed_until END, 0))
      FROM subscription WHERE has_received AND announced < $1
      """,
      .init(newest),
      .init(date)
    )
    .first?.optionalDate(0)
  }

  /// If another node claims some of them at the same time, each subscription goes to one of the nodes.
  func claim(_ ids: [Int64], upTo comic: Comic.Number) throws -> Set<Int64> {
    let rows = try session.execute(
      """
      UPDATE subscription SET claimed = $1, attempts = attempts + 1, claimed_by = \(Self.me),
        claimed_until = \(Self.now) + $3
      WHERE id IN (
        SELECT id FROM subscription WHERE id = ANY($2) AND announced < $1 AND \(Self.isMine)
        ORDER BY id FOR UPDATE SKIP LOCKED)
      RETURNING id
      """,
      .init(comic),
      .integers(ids),
      .integer(AnnouncementStore.claimLease.components.seconds)
    )
    return Set(try rows.map { try $0.int64(0) })
  }

  /// Locks the rows, always in the same order.
  func endpoints(of ids: [Int64]) throws -> [Int64: String] {
    let rows = try session.execute(
      "SELECT id, endpoint FROM subscription WHERE id = ANY($1) ORDER BY id FOR UPDATE",
      .integers(ids)
    )
    return try Dictionary(rows.map { (try $0.int64(0), try $0.text(1)) }) { $1 }
  }

  func apply(_ change: SubscriptionUpdate.Change, to ids: [Int64], at date: Date) throws {
    let condition = "id = ANY($1) AND \(Self.isMine)"
    switch change {
    case .announced(let comic):
      try session.execute(
        """
        UPDATE subscription SET announced = greatest(announced, $2), claimed = NULL, attempts = 0, next_try = NULL,
          failure = NULL, failed_at = NULL, given_up = 0, has_received = true
        WHERE \(condition)
        """,
        .integers(ids),
        .init(comic)
      )
    case .givenUp(let comic, let reason):
      try session.execute(
        """
        UPDATE subscription SET announced = greatest(announced, $2), claimed = NULL, attempts = 0, next_try = NULL,
          failure = $3, failed_at = $4, given_up = given_up + 1
        WHERE \(condition)
        """,
        .integers(ids),
        .init(comic),
        .text(SubscriptionLimits.stored(reason)),
        .init(date)
      )
      try removeHopeless()
    case .interrupted(let until, let reason):
      try session.execute(
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
      try removeHopeless()
    case .later(let until, let reason):
      try session.execute(
        """
        UPDATE subscription SET claimed = NULL, next_try = $2, failure = coalesce($3::text, failure),
          failed_at = CASE WHEN $3::text IS NULL THEN failed_at ELSE $4 END
        WHERE \(condition)
        """,
        .integers(ids),
        .init(until),
        .init(reason.map { SubscriptionLimits.stored($0) }),
        .init(date)
      )
    case .unsent:
      try session.execute(
        "UPDATE subscription SET claimed = NULL, attempts = greatest(attempts - 1, 0) WHERE \(condition)",
        .integers(ids)
      )
    case .gone:
      try session.execute("DELETE FROM subscription WHERE id = ANY($1)", .integers(ids))
    }
  }

  private func removeHopeless() throws {
    try session.execute("DELETE FROM subscription WHERE given_up >= $1", .init(SubscriptionLimits.givenUp))
  }

  func reject(_ service: String, atMost attempts: Int, reason: String, newest: Comic.Number, at date: Date)
    throws
  {
    try session.execute(
      """
      UPDATE subscription SET announced = CASE WHEN attempts + 1 < $4 THEN announced ELSE $1 END,
        given_up = given_up + CASE WHEN attempts + 1 < $4 THEN 0 ELSE 1 END,
        attempts = CASE WHEN attempts + 1 < $4 THEN attempts + 1 ELSE 0 END,
        failure = $5, failed_at = $2 WHERE service = $3 AND \(Self.due)
      """,
      .init(newest),
      .init(date),
      .text(service),
      .init(attempts),
      .text(SubscriptionLimits.stored(reason))
    )
    try removeHopeless()
  }

  func postpone(_ service: String, until: Date, reason: String, newest: Comic.Number, at date: Date) throws {
    try session.execute(
      """
      UPDATE subscription SET next_try = $4, failure = $5, failed_at = $2
      WHERE service = $3 AND has_received AND announced < $1 AND claimed IS NULL
        AND (coalesce(next_try, 0) < $4 OR \(StoredPause.notification.isTooFar("next_try", at: "$2")))
      """,
      .init(newest),
      .init(date),
      .text(service),
      .init(until),
      .text(SubscriptionLimits.stored(reason))
    )
  }
}
