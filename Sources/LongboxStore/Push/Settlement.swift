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
    /// The browser is subscribed no more.
    case gone
  }

  /// Whom it was for.
  public let subscription: StoredSubscription.ID
  /// How it ended.
  public let end: End

  /// Makes one.
  public init(_ subscription: StoredSubscription.ID, _ end: End) {
    self.subscription = subscription
    self.end = end
  }
}

extension StoredSubscription: Identifiable {}
