// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

/// What became of a message to one browser.
public struct Settlement: Sendable {
  /// The ways in which it can end.
  public enum End: Equatable, Sendable {
    /// All comics up to this one are told of.
    case announced(Comic.Number)
    /// Those up to this one are not tried any more.
    case givenUp(Comic.Number, reason: String)
    /// It is to be sent from then on; the reason where something went wrong.
    case later(Date, reason: String?)
    /// It was not sent, and is due as before.
    case unsent
    /// The browser is subscribed no more.
    case gone
  }

  /// Whom it was for.
  public let subscription: StoredSubscription.ID
  /// How it ended.
  public let end: End
  /// The endpoint to which it was sent, or nothing where it was not: what an old one says is nothing to a new one.
  public let endpoint: String?

  /// Makes one.
  public init(_ subscription: StoredSubscription.ID, _ end: End, at endpoint: String? = nil) {
    self.subscription = subscription
    self.end = end
    self.endpoint = endpoint
  }
}

extension StoredSubscription: Identifiable {}
