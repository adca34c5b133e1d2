// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

// Who is to be notified of which comics.
extension Store {
  /// Makes messages due again that were on their way when the program ended.
  ///
  /// To be called while no message is on its way.
  public func resumeAnnouncing() async throws(StoreError) {
    try await write { database in try SubscriptionTable(database: database).releaseClaims() }
  }

  /// Lets those who subscribed before any comic was known begin after a comic.
  public func beginAnnouncing(after newest: Comic.Number) async throws(StoreError) {
    try await write { database in try SubscriptionTable(database: database).begin(at: newest) }
  }

  /// The comic up to which all subscribers were notified; nothing where there is no subscriber.
  public func leastAnnounced() async throws(StoreError) -> Int? {
    try await read { database in try SubscriptionTable(database: database).leastAnnounced() }
  }

  /// The push services of subscribers who are due a comic up to the newest: those that answer first, and of these the longest
  /// known.
  public func servicesToNotify(
    upTo newest: Comic.Number,
    at date: Date
  ) async throws(StoreError) -> [String] {
    try await read { database in
      try SubscriptionTable(database: database).dueServices(newest: newest, at: date)
    }
  }

  /// Some of the subscriptions at a service that are due a comic up to the newest.
  public func subscriptionsToNotify(
    at service: String,
    upTo newest: Comic.Number,
    at date: Date,
    limit: Int
  ) async throws(StoreError) -> [StoredSubscription] {
    try await read { database in
      try SubscriptionTable(database: database).due(at: service, newest: newest, at: date, limit: limit)
    }
  }

  /// When the next subscription that waits is due; nothing where none waits.
  public func nextNotification(upTo newest: Comic.Number) async throws(StoreError) -> Date? {
    try await read { database in try SubscriptionTable(database: database).nextTry(newest: newest) }
  }

  /// Notes that messages are on their way, before they are sent.
  /// - Parameter messages: for whom, and up to which comic they tell.
  /// - Returns: those who are still there.
  public func claim(
    _ messages: [(subscription: StoredSubscription.ID, comic: Comic.Number)]
  ) async throws(StoreError) -> Set<StoredSubscription.ID> {
    try await write { database in
      let table = SubscriptionTable(database: database)
      var claimed: Set<StoredSubscription.ID> = []
      for (comic, messages) in Dictionary(grouping: messages, by: \.comic) {
        claimed.formUnion(try table.claim(messages.map(\.subscription), upTo: comic))
      }
      return claimed
    }
  }

  /// Notes what became of subscriptions, in one transaction.
  public func update(_ updates: [SubscriptionUpdate], at date: Date) async throws(StoreError) {
    try await write { database in
      let table = SubscriptionTable(database: database)
      var announced: [Comic.Number: [StoredSubscription.ID]] = [:]
      for update in updates {
        if case .announced(let comic) = update.change {
          announced[comic, default: []].append(update.subscription)
        } else {
          try table.apply(update, at: date)
        }
      }
      for (comic, subscriptions) in announced { try table.note(subscriptions, announced: comic) }
    }
  }

  /// Counts a try for all that is due at a service that may not be reached, and gives up what was tried often enough.
  public func refuse(
    _ service: String,
    atMost attempts: Int,
    reason: String,
    upTo newest: Comic.Number,
    at date: Date
  ) async throws(StoreError) {
    try await write { database in
      try SubscriptionTable(database: database)
        .refuse(service, atMost: attempts, reason: reason, newest: newest, at: date)
    }
  }

  /// Puts off all that is due at a service, and what would be before that.
  public func putOff(
    _ service: String,
    until: Date,
    reason: String,
    upTo newest: Comic.Number,
    at date: Date
  ) async throws(StoreError) {
    try await write { database in
      try SubscriptionTable(database: database)
        .putOff(service, until: until, reason: reason, newest: newest, at: date)
    }
  }
}
