// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

/// Which subscribers to notify of which comics.
public struct AnnouncementStore: Sendable {
  let store: Store

  /// How long a node may send the messages that it has claimed, before another node may claim them.
  public static let claimLease = Duration.seconds(120)

  /// Makes interrupted messages due again; call it while this node sends no message.
  public func resume() async throws(StoreError) {
    try await store.write { tables in try tables.subscriptions.releaseClaims() }
  }

  /// Makes subscriptions that were saved before any comic was known start after a comic.
  public func begin(after newest: Comic.Number) async throws(StoreError) {
    try await store.write { tables in try tables.subscriptions.begin(at: newest) }
  }

  /// The last comic that all subscribers were notified of; nil if there are no subscribers.
  public func leastAnnounced() async throws(StoreError) -> Int? {
    try await store.read { tables in try tables.subscriptions.leastAnnounced() }
  }

  /// The push services with messages due.
  ///
  /// Those where not all messages have failed come first. Otherwise the oldest subscriptions decide the order.
  public func servicesToNotify(
    upTo newest: Comic.Number,
    at date: Date
  ) async throws(StoreError) -> [String] {
    try await store.read { tables in
      try tables.subscriptions.dueServices(newest: newest, at: date)
    }
  }

  /// Some of a service's subscriptions that are due a comic up to the newest.
  public func subscriptionsToNotify(
    at service: String,
    upTo newest: Comic.Number,
    at date: Date,
    limit: Int
  ) async throws(StoreError) -> [StoredSubscription] {
    try await store.read { tables in
      try tables.subscriptions.due(at: service, newest: newest, at: date, limit: limit)
    }
  }

  /// When the next waiting subscription becomes due after a date; nil if none waits.
  public func nextNotification(
    upTo newest: Comic.Number,
    at date: Date
  ) async throws(StoreError) -> Date? {
    try await store.read { tables in try tables.subscriptions.nextTry(newest: newest, at: date) }
  }

  /// Marks messages as being sent; call it before you send them.
  /// - Parameter messages: the subscriptions, each with the last comic of its message.
  /// - Returns: the subscriptions that still exist and that no other node has claimed.
  public func claim(
    _ messages: [(subscription: StoredSubscription.ID, comic: Comic.Number)]
  ) async throws(StoreError) -> Set<StoredSubscription.ID> {
    try await store.write { tables in
      let table = tables.subscriptions
      var claimed: Set<StoredSubscription.ID> = []
      for (comic, messages) in Dictionary(grouping: messages, by: \.comic) {
        claimed.formUnion(try table.claim(messages.map(\.subscription), upTo: comic))
      }
      return claimed
    }
  }

  /// Stores the results for subscriptions in one transaction.
  public func update(_ updates: [SubscriptionUpdate], at date: Date) async throws(StoreError) {
    try await store.write { tables in
      let table = tables.subscriptions
      let endpoints = try table.endpoints(of: updates.map(\.subscription))
      let changes = Dictionary(grouping: updates) { update -> SubscriptionUpdate.Change in
        guard let endpoint = update.endpoint, endpoints[update.subscription] != endpoint else {
          return update.change
        }
        // The endpoint has changed since: send the message to the new one.
        return .unsent
      }
      for (change, updates) in changes { try table.apply(change, to: updates.map(\.subscription), at: date) }
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
    try await store.write { tables in
      try tables.subscriptions
        .reject(service, atMost: attempts, reason: reason, newest: newest, at: date)
    }
  }

  /// Postpones everything due at a service to a date.
  public func postpone(
    _ service: String,
    until: Date,
    reason: String,
    upTo newest: Comic.Number,
    at date: Date
  ) async throws(StoreError) {
    try await store.write { tables in
      try tables.subscriptions
        .postpone(service, until: until, reason: reason, newest: newest, at: date)
    }
  }
}
