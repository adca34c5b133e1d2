// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

extension Store {
  /// Keeps a subscription, a new one or one that is known by its endpoint.
  ///
  /// A new one is told of what comes after the newest comic.
  /// - Parameters:
  ///   - new: the subscription.
  ///   - newest: the newest comic, where one is known.
  ///   - date: now.
  /// - Returns: the subscription as it is now; nothing where there are too many.
  public func saveSubscription(
    _ new: NewSubscription,
    newest: Comic.Number?,
    at date: Date
  ) async throws(StoreError) -> StoredSubscription? {
    try await write { database in try SubscriptionTable(database: database).put(new, newest: newest, at: date)
    }
  }

  /// Removes a subscription by its endpoint.
  /// - Returns: whether there was one.
  @discardableResult
  public func removeSubscription(endpoint: String) async throws(StoreError) -> Bool {
    try await write { database in try SubscriptionTable(database: database).remove(endpoint: endpoint) }
  }

  /// Removes a subscription by its number here.
  /// - Returns: whether there was one.
  @discardableResult
  public func removeSubscription(_ id: StoredSubscription.ID) async throws(StoreError) -> Bool {
    try await write { database in try SubscriptionTable(database: database).remove(id) }
  }

  /// All subscriptions, the oldest first.
  public func subscriptions() async throws(StoreError) -> [StoredSubscription] {
    try await read { database in try SubscriptionTable(database: database).all() }
  }
}
