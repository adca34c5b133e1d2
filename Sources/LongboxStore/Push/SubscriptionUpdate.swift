// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

/// The result of a message to a subscription, or of a decision not to send one.
public struct SubscriptionUpdate: Sendable {
  /// The possible results.
  public enum Change: Hashable, Sendable {
    /// It was notified of all comics up to this one.
    case announced(Comic.Number)
    /// Comics up to this one are not tried again.
    case givenUp(Comic.Number, reason: String)
    /// Its push service rejects this server's key: it is unconfirmed from now on, keeps its place, and is tried at a date.
    ///
    /// As with comics that are given up, it is removed when that has happened too often.
    case interrupted(until: Date, reason: String)
    /// Its next message is due at this date, with the reason if something failed.
    case later(Date, reason: String?)
    /// Its message was not sent and is still due.
    case unsent
    /// The browser is no longer subscribed.
    case gone
  }

  /// The subscription.
  public let subscription: StoredSubscription.ID
  /// The result.
  public let change: Change
  /// The endpoint that a message was sent to, or nil if none was; if the subscription has another endpoint
  /// now, the message is due again.
  public let endpoint: String?

  /// Makes an update.
  public init(_ subscription: StoredSubscription.ID, _ change: Change, at endpoint: String? = nil) {
    self.subscription = subscription
    self.change = change
    self.endpoint = endpoint
  }
}

extension StoredSubscription: Identifiable {}
