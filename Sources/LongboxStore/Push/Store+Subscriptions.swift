// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

extension Store {
  /// Stores or updates a subscription, found by its endpoint; a new one starts after the newest comic.
  /// - Parameters:
  ///   - new: the subscription.
  ///   - newest: the newest comic, if known.
  ///   - date: now.
  /// - Returns: the stored subscription; nil if there are too many.
  public func saveSubscription(
    _ new: NewSubscription,
    newest: Comic.Number?,
    at date: Date
  ) async throws(StoreError) -> StoredSubscription? {
    try await write { tables in
      try tables.subscriptions.put(new, newest: newest, at: date, atMost: SubscriptionLimits.all)
    }
  }

  /// Removes the subscription with an endpoint.
  /// - Returns: whether there was one.
  @discardableResult
  public func removeSubscription(endpoint: String) async throws(StoreError) -> Bool {
    try await write { tables in try tables.subscriptions.remove(endpoint: endpoint) }
  }

  /// Removes the subscription with an id.
  /// - Returns: whether there was one.
  @discardableResult
  public func removeSubscription(_ id: StoredSubscription.ID) async throws(StoreError) -> Bool {
    try await write { tables in try tables.subscriptions.remove(id) }
  }

  /// All subscriptions, the oldest first.
  public func subscriptions() async throws(StoreError) -> [StoredSubscription] {
    try await read { tables in try tables.subscriptions.all() }
  }
}
