// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

/// What to announce, and the results.
extension SQLiteSubscriptionTable {
  /// Due: confirmed, behind the newest comic, no message being sent, and not postponed.
  private static let due = """
    hasReceived = 1 AND announced < :newest AND claimed IS NULL
      AND (nextTry IS NULL OR \(StoredPause.notification.isOver("nextTry", at: ":now")))
    """

  /// Subscriptions that were saved before any comic was known start here.
  func begin(at newest: Comic.Number) throws {
    try database.execute(
      sql: "UPDATE subscription SET announced = ? WHERE announced IS NULL",
      arguments: [newest.value]
    )
  }

  /// Messages that were being sent when the program ended are sent again, because their delivery is unknown.
  func releaseClaims() throws {
    try database.execute(sql: "UPDATE subscription SET claimed = NULL WHERE claimed IS NOT NULL")
  }

  func leastAnnounced() throws -> Int? {
    try Int.fetchOne(database, sql: "SELECT min(announced) FROM subscription WHERE hasReceived = 1")
  }

  /// The services with messages due.
  ///
  /// Those where not all messages have failed come first. Otherwise the oldest subscriptions decide the order, so a
  /// service gets no priority by having many subscriptions.
  func dueServices(newest: Comic.Number, at date: Date) throws -> [String] {
    try String.fetchAll(
      database,
      sql:
        "SELECT service FROM subscription WHERE \(Self.due) GROUP BY service ORDER BY max(failure IS NULL) DESC, min(id)",
      arguments: ["newest": newest.value, "now": date.seconds]
    )
  }

  func due(at service: String, newest: Comic.Number, at date: Date, limit: Int) throws -> [StoredSubscription]
  {
    // In the order of the index, so that SQLite need not sort.
    try subscriptions(
      "WHERE service = :service AND \(Self.due) ORDER BY announced DESC, id DESC LIMIT :limit",
      ["service": service, "newest": newest.value, "now": date.seconds, "limit": limit]
    )
  }

  func nextTry(newest: Comic.Number, at date: Date) throws -> Date? {
    try Int64.fetchOne(
      database,
      sql: """
        SELECT min(iif(\(StoredPause.notification.isTooFar("nextTry", at: ":now")), 0, coalesce(nextTry, 0)))
          FROM subscription WHERE hasReceived = 1 AND announced < :newest AND claimed IS NULL
        """,
      arguments: ["newest": newest.value, "now": date.seconds]
    ).map { Date(seconds: $0) }
  }

  /// Marks messages as being sent; returns the subscriptions that still exist.
  func claim(_ ids: [Int64], upTo comic: Comic.Number) throws -> Set<Int64> {
    let claim = try database.cachedStatement(
      sql: """
        UPDATE subscription SET claimed = ?1, attempts = attempts + 1
          WHERE id IN (SELECT value FROM json_each(?2)) AND announced < ?1 RETURNING id
        """
    )
    return try Int64.fetchSet(claim, arguments: [comic.value, Self.list(ids)])
  }

  /// Ids as one argument: a JSON array.
  private static func list(_ ids: [Int64]) -> String {
    "[" + ids.map { String($0) }.joined(separator: ",") + "]"
  }

  /// One transaction at a time writes, so there is nothing to lock.
  func endpoints(of ids: [Int64]) throws -> [Int64: String] {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT id, endpoint FROM subscription WHERE id IN (SELECT value FROM json_each(?))",
      arguments: [Self.list(ids)]
    )
    let endpoints = try rows.map { row -> (Int64, String) in
      (try row.value("id"), try row.value("endpoint"))
    }
    return Dictionary(endpoints) { $1 }
  }

  func apply(_ change: SubscriptionUpdate.Change, to ids: [Int64], at date: Date) throws {
    let condition = "id IN (SELECT value FROM json_each(:ids))"
    let ids = Self.list(ids)
    switch change {
    case .announced(let comic):
      try database.execute(
        sql: """
          UPDATE subscription SET announced = max(announced, :comic), claimed = NULL, attempts = 0, nextTry = NULL,
            failure = NULL, failedAt = NULL, givenUp = 0, hasReceived = 1 WHERE \(condition)
          """,
        arguments: ["comic": comic.value, "ids": ids]
      )
    case .givenUp(let comic, let reason):
      try database.execute(
        sql: """
          UPDATE subscription SET announced = max(announced, :comic), claimed = NULL, attempts = 0, nextTry = NULL,
            failure = :reason, failedAt = :now, givenUp = givenUp + 1 WHERE \(condition)
          """,
        arguments: [
          "comic": comic.value, "ids": ids, "reason": SubscriptionLimits.stored(reason), "now": date.seconds,
        ]
      )
      try removeHopeless()
    case .interrupted(let until, let reason):
      try database.execute(
        sql: """
          UPDATE subscription SET hasReceived = 0, claimed = NULL, attempts = 0, nextTry = :until, failure = :reason,
            failedAt = :now, givenUp = givenUp + 1 WHERE \(condition)
          """,
        arguments: [
          "until": until.seconds, "ids": ids, "reason": SubscriptionLimits.stored(reason),
          "now": date.seconds,
        ]
      )
      try removeHopeless()
    case .later(let until, let reason):
      try database.execute(
        sql: """
          UPDATE subscription SET claimed = NULL, nextTry = :until, failure = coalesce(:reason, failure),
            failedAt = CASE WHEN :reason IS NULL THEN failedAt ELSE :now END WHERE \(condition)
          """,
        arguments: [
          "until": until.seconds, "ids": ids, "reason": reason.map { SubscriptionLimits.stored($0) },
          "now": date.seconds,
        ]
      )
    case .unsent:
      try database.execute(
        sql: "UPDATE subscription SET claimed = NULL, attempts = max(attempts - 1, 0) WHERE \(condition)",
        arguments: ["ids": ids]
      )
    case .gone:
      try database.execute(sql: "DELETE FROM subscription WHERE \(condition)", arguments: ["ids": ids])
    }
  }

  private func removeHopeless() throws {
    try database.execute(
      sql: "DELETE FROM subscription WHERE givenUp >= ?",
      arguments: [SubscriptionLimits.givenUp]
    )
  }

  /// Counts a failed try for each message due at a rejected service; after the last try, the message is given up.
  func reject(
    _ service: String,
    atMost attempts: Int,
    reason: String,
    newest: Comic.Number,
    at date: Date
  ) throws {
    let due = "service = :service AND \(Self.due)"
    let arguments: StatementArguments = [
      "service": service, "newest": newest.value, "now": date.seconds,
      "reason": SubscriptionLimits.stored(reason), "attempts": attempts,
    ]
    try database.execute(
      sql: """
        UPDATE subscription SET announced = iif(attempts + 1 < :attempts, announced, :newest),
          givenUp = givenUp + iif(attempts + 1 < :attempts, 0, 1), attempts = iif(attempts + 1 < :attempts, attempts + 1, 0),
          failure = :reason, failedAt = :now WHERE \(due)
        """,
      arguments: arguments
    )
    try removeHopeless()
  }

  /// Postpones everything due at a service to a date.
  func postpone(_ service: String, until: Date, reason: String, newest: Comic.Number, at date: Date) throws {
    try database.execute(
      sql: """
        UPDATE subscription SET nextTry = :until, failure = :reason, failedAt = :now
          WHERE service = :service AND hasReceived = 1 AND announced < :newest AND claimed IS NULL
            AND (coalesce(nextTry, 0) < :until OR \(StoredPause.notification.isTooFar("nextTry", at: ":now")))
        """,
      arguments: [
        "service": service, "newest": newest.value, "now": date.seconds, "until": until.seconds,
        "reason": SubscriptionLimits.stored(reason),
      ]
    )
  }
}
