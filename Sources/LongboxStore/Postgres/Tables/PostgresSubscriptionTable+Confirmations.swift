// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Which subscriptions are confirmed: those whose push service has accepted a message (`has_received`).
extension PostgresSubscriptionTable {
  func unconfirmed(at date: Date, limit: Int) throws -> [StoredSubscription] {
    try subscriptions(
      """
      WHERE NOT has_received AND claimed IS NULL
        AND (next_try IS NULL OR \(StoredPause.notification.isOver("next_try", at: "$1")))
      ORDER BY attempts, id LIMIT $2
      """,
      .init(date),
      .init(limit)
    )
  }

  func confirm(_ subscription: StoredSubscription) throws {
    try session.execute(
      """
      UPDATE subscription SET has_received = true, attempts = 0, next_try = NULL, failure = NULL, failed_at = NULL
      WHERE id = $1 AND endpoint = $2
      """,
      .integer(subscription.id),
      .text(subscription.endpoint)
    )
  }

  func postponeConfirmation(of subscription: StoredSubscription, until: Date, reason: String, at date: Date)
    throws
  {
    try session.execute(
      """
      UPDATE subscription SET attempts = attempts + 1, next_try = $3, failure = $4, failed_at = $5
      WHERE id = $1 AND endpoint = $2 AND NOT has_received
      """,
      .integer(subscription.id),
      .text(subscription.endpoint),
      .init(until),
      .text(SubscriptionLimits.stored(reason)),
      .init(date)
    )
  }

  func removeUnconfirmed(_ subscription: StoredSubscription) throws {
    try session.execute(
      "DELETE FROM subscription WHERE id = $1 AND endpoint = $2 AND NOT has_received",
      .integer(subscription.id),
      .text(subscription.endpoint)
    )
  }

  func removeUnconfirmed(createdUntil date: Date) throws -> Int {
    try session.execute(
      "DELETE FROM subscription WHERE NOT has_received AND attempts > 0 AND created_at <= $1",
      .init(date)
    ).changed
  }
}
