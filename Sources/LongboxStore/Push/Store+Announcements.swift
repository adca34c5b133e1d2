// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

// Who is to be told of which comics.
extension Store {
  /// Puts in order what the end of the program has left: messages that were on their way are due again.
  ///
  /// To be called while nothing is on its way.
  public func resumeAnnouncing() async throws(StoreError) {
    try await write { database in try SubscriptionTable(database: database).releaseClaims() }
  }

  /// Lets those who subscribed before any comic was known begin after a comic.
  public func beginAnnouncing(after newest: Comic.Number) async throws(StoreError) {
    try await write { database in try SubscriptionTable(database: database).begin(at: newest) }
  }

  /// The comic up to which everybody was told of all; nothing where nobody wants to be told.
  public func leastAnnounced() async throws(StoreError) -> Int? {
    try await read { database in try SubscriptionTable(database: database).leastAnnounced() }
  }

  /// The push services with somebody who is to be told of a comic up to the newest by now: those that answer first, and of
  /// these the longest known.
  public func servicesToTell(
    upTo newest: Comic.Number,
    at date: Date
  ) async throws(StoreError) -> [String] {
    try await read { database in
      try SubscriptionTable(database: database).dueServices(newest: newest, at: date)
    }
  }

  /// Some of those at a service who are to be told of a comic up to the newest by now.
  public func subscriptionsToTell(
    at service: String,
    upTo newest: Comic.Number,
    at date: Date,
    limit: Int
  ) async throws(StoreError) -> [StoredSubscription] {
    try await read { database in
      try SubscriptionTable(database: database).due(at: service, newest: newest, at: date, limit: limit)
    }
  }

  /// When the next who waits is to be told of a comic up to the newest; nothing where nobody waits.
  public func nextTelling(upTo newest: Comic.Number) async throws(StoreError) -> Date? {
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

  /// Notes what became of messages.
  public func settle(_ settlements: [Settlement], at date: Date) async throws(StoreError) {
    try await write { database in
      let table = SubscriptionTable(database: database)
      var told: [Comic.Number: [StoredSubscription.ID]] = [:]
      for settlement in settlements {
        if case .announced(let comic) = settlement.end {
          told[comic, default: []].append(settlement.subscription)
        } else {
          try table.settle(settlement, at: date)
        }
      }
      for (comic, subscriptions) in told { try table.settle(subscriptions, announced: comic) }
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
