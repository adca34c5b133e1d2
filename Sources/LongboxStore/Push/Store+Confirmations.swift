// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import GRDB

// Which subscriptions count as good: those whose push service has accepted a message.
extension Store {
  /// Unconfirmed subscriptions whose next try is due, those with the fewest tries first.
  public func subscriptionsToConfirm(at date: Date, limit: Int) async throws(StoreError)
    -> [StoredSubscription]
  {
    try await read { database in
      try SubscriptionTable(database: database).unconfirmed(at: date, limit: limit)
    }
  }

  /// Notes that a push service has accepted a message for a subscription.
  ///
  /// It does nothing if the subscription has another endpoint by now.
  public func confirm(_ subscription: StoredSubscription) async throws(StoreError) {
    try await write { database in
      try database.execute(
        sql: """
          UPDATE subscription SET hasReceived = 1, attempts = 0, nextTry = NULL, failure = NULL, failedAt = NULL
            WHERE id = ? AND endpoint = ?
          """,
        arguments: [subscription.id, subscription.endpoint]
      )
    }
  }

  /// Postpones the next try of an unconfirmed subscription.
  public func putOffConfirmation(
    of subscription: StoredSubscription,
    until: Date,
    reason: String,
    at date: Date
  ) async throws(StoreError) {
    try await write { database in
      try database.execute(
        sql: """
          UPDATE subscription SET attempts = attempts + 1, nextTry = ?, failure = ?, failedAt = ?
            WHERE id = ? AND endpoint = ? AND hasReceived = 0
          """,
        arguments: [
          until.seconds, String(reason.prefix(300)), date.seconds, subscription.id, subscription.endpoint,
        ]
      )
    }
  }

  /// Removes a subscription whose push service rejects it, unless it has another endpoint by now.
  public func removeUnconfirmed(_ subscription: StoredSubscription) async throws(StoreError) {
    try await write { database in
      try database.execute(
        sql: "DELETE FROM subscription WHERE id = ? AND endpoint = ? AND hasReceived = 0",
        arguments: [subscription.id, subscription.endpoint]
      )
    }
  }

  /// Removes the subscriptions that were tried in vain since a date.
  /// - Returns: how many.
  public func removeUnconfirmed(since date: Date) async throws(StoreError) -> Int {
    try await write { database in
      try database.execute(
        sql: "DELETE FROM subscription WHERE hasReceived = 0 AND attempts > 0 AND createdAt <= ?",
        arguments: [date.seconds]
      )
      return database.changesCount
    }
  }
}
