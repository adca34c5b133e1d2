// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB

/// Which subscriptions are confirmed: those whose push service has accepted a message (`hasReceived`).
extension SQLiteSubscriptionTable {
  /// Unconfirmed subscriptions whose next try is due, those with the fewest tries first.
  func unconfirmed(at date: Date, limit: Int) throws -> [StoredSubscription] {
    try subscriptions(
      """
      WHERE hasReceived = 0 AND claimed IS NULL
        AND (nextTry IS NULL OR \(StoredPause.notification.isOver("nextTry", at: ":now")))
        ORDER BY attempts, id LIMIT :limit
      """,
      ["now": date.seconds, "limit": limit]
    )
  }

  /// Notes that a push service has accepted a message, unless the subscription has another endpoint by now.
  func confirm(_ subscription: StoredSubscription) throws {
    try database.execute(
      sql: """
        UPDATE subscription SET hasReceived = 1, attempts = 0, nextTry = NULL, failure = NULL, failedAt = NULL
          WHERE id = ? AND endpoint = ?
        """,
      arguments: [subscription.id, subscription.endpoint]
    )
  }

  func postponeConfirmation(
    of subscription: StoredSubscription,
    until: Date,
    reason: String,
    at date: Date
  ) throws {
    try database.execute(
      sql: """
        UPDATE subscription SET attempts = attempts + 1, nextTry = ?, failure = ?, failedAt = ?
          WHERE id = ? AND endpoint = ? AND hasReceived = 0
        """,
      arguments: [
        until.seconds, SubscriptionLimits.stored(reason), date.seconds, subscription.id,
        subscription.endpoint,
      ]
    )
  }

  /// Removes an unconfirmed subscription, unless it has another endpoint by now.
  func removeUnconfirmed(_ subscription: StoredSubscription) throws {
    try database.execute(
      sql: "DELETE FROM subscription WHERE id = ? AND endpoint = ? AND hasReceived = 0",
      arguments: [subscription.id, subscription.endpoint]
    )
  }

  /// Removes the unconfirmed subscriptions that are this old and were tried; returns how many.
  func removeUnconfirmed(createdUntil date: Date) throws -> Int {
    try database.execute(
      sql: "DELETE FROM subscription WHERE hasReceived = 0 AND attempts > 0 AND createdAt <= ?",
      arguments: [date.seconds]
    )
    return database.changesCount
  }
}
