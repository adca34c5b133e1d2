// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

/// The browsers that get notifications.
///
/// A subscription is confirmed once its push service has accepted a message.
public struct SubscriptionStore: Sendable {
  let store: Store

  /// Stores or updates a subscription, found by its endpoint; a new one starts after the newest comic.
  /// - Parameters:
  ///   - new: the subscription.
  ///   - newest: the newest comic, if known.
  ///   - date: now.
  /// - Returns: the stored subscription; nil if there are too many.
  public func save(
    _ new: NewSubscription,
    newest: Comic.Number?,
    at date: Date
  ) async throws(StoreError) -> StoredSubscription? {
    try await store.write { tables in
      try tables.subscriptions.put(new, newest: newest, at: date, atMost: SubscriptionLimits.all)
    }
  }

  /// Removes the subscription with an endpoint.
  /// - Returns: whether there was one.
  @discardableResult
  public func remove(endpoint: String) async throws(StoreError) -> Bool {
    try await store.write { tables in try tables.subscriptions.remove(endpoint: endpoint) }
  }

  /// Removes the subscription with an id.
  /// - Returns: whether there was one.
  @discardableResult
  public func remove(_ id: StoredSubscription.ID) async throws(StoreError) -> Bool {
    try await store.write { tables in try tables.subscriptions.remove(id) }
  }

  /// All subscriptions, the oldest first.
  public func all() async throws(StoreError) -> [StoredSubscription] {
    try await store.read { tables in try tables.subscriptions.all() }
  }

  /// Unconfirmed subscriptions whose next try is due, those with the fewest tries first.
  public func unconfirmed(at date: Date, limit: Int) async throws(StoreError)
    -> [StoredSubscription]
  {
    try await store.read { tables in
      try tables.subscriptions.unconfirmed(at: date, limit: limit)
    }
  }

  /// Notes that a push service has accepted a message for a subscription.
  ///
  /// It does nothing if the subscription has another endpoint by now.
  public func confirm(_ subscription: StoredSubscription) async throws(StoreError) {
    try await store.write { tables in try tables.subscriptions.confirm(subscription) }
  }

  /// Postpones the next try of an unconfirmed subscription.
  public func postponeConfirmation(
    of subscription: StoredSubscription,
    until: Date,
    reason: String,
    at date: Date
  ) async throws(StoreError) {
    try await store.write { tables in
      try tables.subscriptions
        .postponeConfirmation(of: subscription, until: until, reason: reason, at: date)
    }
  }

  /// Removes a subscription whose push service rejects it, unless it has another endpoint by now.
  public func removeUnconfirmed(_ subscription: StoredSubscription) async throws(StoreError) {
    try await store.write { tables in try tables.subscriptions.removeUnconfirmed(subscription) }
  }

  /// Removes the unconfirmed subscriptions that were created up to a date and tried at least once.
  /// - Returns: how many.
  public func removeUnconfirmed(createdUntil date: Date) async throws(StoreError) -> Int {
    try await store.write { tables in
      try tables.subscriptions.removeUnconfirmed(createdUntil: date)
    }
  }
}
