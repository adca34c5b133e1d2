// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// The browsers that are notified of new comics.
protocol SubscriptionTable {
  /// Stores a new subscription or updates a known one.
  ///
  /// A new one beyond its library's limit replaces the library's oldest one, and unconfirmed ones first. One beyond
  /// `limit` replaces the oldest unconfirmed one.
  /// - Parameters:
  ///   - new: the subscription.
  ///   - newest: the newest comic, if known.
  ///   - date: now.
  ///   - limit: the most subscriptions of all libraries.
  /// - Returns: the stored subscription; nil if there are too many, and all are confirmed.
  func put(_ new: NewSubscription, newest: Comic.Number?, at date: Date, atMost limit: Int) throws
    -> StoredSubscription?

  func all() throws -> [StoredSubscription]

  /// Removes a subscription; returns whether it existed.
  func remove(endpoint: String) throws -> Bool
  func remove(_ id: Int64) throws -> Bool

  func count() throws -> Int

  /// How many the last message didn't reach.
  func failingCount() throws -> Int

  /// Makes subscriptions that were saved before any comic was known start after this comic.
  func begin(at newest: Comic.Number) throws

  /// Releases this node's claims. Messages that were being sent when the program ended are then sent again.
  ///
  /// Another node's messages are left alone while its lease lasts.
  func releaseClaims() throws
  func leastAnnounced() throws -> Int?

  /// The services with messages due.
  ///
  /// Those where not all messages have failed come first. Otherwise the oldest subscriptions decide the order, so a
  /// service gets no priority by having many subscriptions.
  func dueServices(newest: Comic.Number, at date: Date) throws -> [String]
  func due(at service: String, newest: Comic.Number, at date: Date, limit: Int) throws -> [StoredSubscription]
  func nextTry(newest: Comic.Number, at date: Date) throws -> Date?

  /// Marks messages as being sent by this node; returns the subscriptions that still exist and that no other node has.
  func claim(_ ids: [Int64], upTo comic: Comic.Number) throws -> Set<Int64>

  /// The endpoints of subscriptions, which stay the same until the end of the transaction.
  func endpoints(of ids: [Int64]) throws -> [Int64: String]

  /// Stores a result that some subscriptions have in common.
  func apply(_ change: SubscriptionUpdate.Change, to ids: [Int64], at date: Date) throws

  /// Counts a failed try for each message due at a rejected service; after the last try, the message is given up.
  func reject(_ service: String, atMost attempts: Int, reason: String, newest: Comic.Number, at date: Date)
    throws

  /// Postpones everything due at a service to a date.
  func postpone(_ service: String, until: Date, reason: String, newest: Comic.Number, at date: Date) throws

  /// Unconfirmed subscriptions whose next try is due, those with the fewest tries first.
  func unconfirmed(at date: Date, limit: Int) throws -> [StoredSubscription]

  /// Notes that a push service has accepted a message, unless the subscription has another endpoint by now.
  func confirm(_ subscription: StoredSubscription) throws
  func postponeConfirmation(of subscription: StoredSubscription, until: Date, reason: String, at date: Date)
    throws

  /// Removes an unconfirmed subscription, unless it has another endpoint by now.
  func removeUnconfirmed(_ subscription: StoredSubscription) throws

  /// Removes the unconfirmed subscriptions that were created up to a date and tried at least once; returns how many.
  func removeUnconfirmed(createdUntil date: Date) throws -> Int
}

enum SubscriptionLimits {
  /// The most subscriptions: more than all households need, and few enough not to fill the disk.
  static let all = 20_000
  /// The most subscriptions of one library: more than a household has browsers.
  static let ofLibrary = 20
  /// After this many given-up comics in a row (about three weeks), the subscription is removed.
  static let givenUp = 10

  /// A failure's reason as it is stored: a push service can make it long.
  static func stored(_ reason: String) -> String { String(reason.prefix(300)) }
}
