// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// Which subscriptions are confirmed: those whose push service has accepted a message.
extension Store {
  /// Unconfirmed subscriptions whose next try is due, those with the fewest tries first.
  public func subscriptionsToConfirm(at date: Date, limit: Int) async throws(StoreError)
    -> [StoredSubscription]
  {
    try await read { tables in
      try tables.subscriptions.unconfirmed(at: date, limit: limit)
    }
  }

  /// Notes that a push service has accepted a message for a subscription.
  ///
  /// It does nothing if the subscription has another endpoint by now.
  public func confirm(_ subscription: StoredSubscription) async throws(StoreError) {
    try await write { tables in try tables.subscriptions.confirm(subscription) }
  }

  /// Postpones the next try of an unconfirmed subscription.
  public func postponeConfirmation(
    of subscription: StoredSubscription,
    until: Date,
    reason: String,
    at date: Date
  ) async throws(StoreError) {
    try await write { tables in
      try tables.subscriptions
        .postponeConfirmation(of: subscription, until: until, reason: reason, at: date)
    }
  }

  /// Removes a subscription whose push service rejects it, unless it has another endpoint by now.
  public func removeUnconfirmed(_ subscription: StoredSubscription) async throws(StoreError) {
    try await write { tables in try tables.subscriptions.removeUnconfirmed(subscription) }
  }

  /// Removes the unconfirmed subscriptions that were created until a date and tried since.
  /// - Returns: how many.
  public func removeUnconfirmed(createdUntil date: Date) async throws(StoreError) -> Int {
    try await write { tables in
      try tables.subscriptions.removeUnconfirmed(createdUntil: date)
    }
  }
}
