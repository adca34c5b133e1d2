// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

/// What to note of a subscription, after a message or in place of one.
public struct SubscriptionUpdate: Sendable {
  /// What can have become of it.
  public enum Change: Equatable, Sendable {
    /// It was notified of all comics up to this one.
    case announced(Comic.Number)
    /// Those up to this one are not tried any more.
    case givenUp(Comic.Number, reason: String)
    /// Its next message is due from then on; the reason where something went wrong.
    case later(Date, reason: String?)
    /// Its message was not sent, and is due as before.
    case unsent
    /// The browser is no longer subscribed.
    case gone
  }

  /// Which subscription.
  public let subscription: StoredSubscription.ID
  /// What became of it.
  public let change: Change
  /// The endpoint that a message was sent to, or nothing where none was.
  ///
  /// Where the subscription has another endpoint by now, the message is due again.
  public let endpoint: String?

  /// Makes an update.
  public init(_ subscription: StoredSubscription.ID, _ change: Change, at endpoint: String? = nil) {
    self.subscription = subscription
    self.change = change
    self.endpoint = endpoint
  }
}

extension StoredSubscription: Identifiable {}
